// Runs the browser's side of a channel without a browser (code on the command line): reads a message a line, answers with
// what is there then and what is asked for. With mount.js the graph's picture is what is there, else the entries are.
// Timers go off at once.
const { readFileSync } = require("node:fs");
const { createInterface } = require("node:readline");

const timers = new Map();
let shown = null;
let asked = null;
const browser = {
  openGraph: () => ({ show: (picture) => { shown = picture; }, onSelect() {}, destroy() {} }),
  setTimeout: (act) => { const name = timers.size + 1; timers.set(name, act); return name; },
  clearTimeout: (name) => timers.delete(name),
};
const plain = `
  const list = channelOf("list", () => [], (value, fresh) => value.push(...fresh));
  const place = {};
  const mount = (component) => {
    list.take(component.data);
    list.ask(component, component.data, place);
  };
  const there = () => list.value;`;
const code = process.argv.slice(2).map((path) => readFileSync(path, "utf8")).join("\n");
const end = code.includes("function mount(") ? "const there = undefined;" : plain;
const { mount, there } = new Function(...Object.keys(browser), `${code}; ${end}; return { mount, there };`)(
  ...Object.values(browser),
);
const container = { style: {} };

createInterface({ input: process.stdin }).on("line", (line) => {
  const { step, turning } = JSON.parse(line);
  globalThis.__memorybank_shell = { isTurning: () => Boolean(turning) };
  asked = null;
  timers.clear();
  if (step) {
    const parentElement = { querySelector: () => container, isConnected: true };
    mount({ data: step, parentElement, setStateValue: (_, value) => { asked = value; } });
  }
  for (const [name, act] of [...timers]) if (timers.delete(name)) act();
  const { nodes, edges, legend, words, looks, notice } = shown ?? {};
  const picture = shown && { nodes, edges, legend, words, looks, notice };
  console.log(JSON.stringify({ asked, there: there ? there() : picture }));
});
