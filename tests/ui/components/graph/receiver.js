// Runs the browser's side of the transfer (packing.js and mount.js, given on the command line) without a browser: reads a
// message a line, answers with what is shown then and what is asked for. Timers go off at once.
const { readFileSync } = require("node:fs");
const { createInterface } = require("node:readline");

const timers = new Map();
const listeners = [];
let shownLast = null;
let asked = null;
const browser = {
  addEventListener: (_, act) => listeners.push(act),
  openGraph: () => ({ show: (picture) => { shownLast = picture; }, onSelect() {}, destroy() {} }),
  setTimeout: (act) => { const name = timers.size + 1; timers.set(name, act); return name; },
  clearTimeout: (name) => timers.delete(name),
};
globalThis.addEventListener = browser.addEventListener;
const code = process.argv.slice(2).map((path) => readFileSync(path, "utf8")).join("\n");
const { mount } = new Function(...Object.keys(browser), `${code}; return { mount };`)(...Object.values(browser));
const container = { style: {}, isConnected: true };

createInterface({ input: process.stdin }).on("line", (line) => {
  const { step, bulk } = JSON.parse(line);
  asked = null;
  timers.clear();
  if (bulk) {
    (globalThis.__memorybank_bulks ??= []).push(new TextEncoder().encode(bulk));
    for (const act of listeners) act();
  }
  if (step) {
    const setStateValue = (_, value) => { asked = value; };
    mount({ data: step, parentElement: { querySelector: () => container }, setStateValue });
  }
  for (const [name, act] of [...timers]) if (timers.delete(name)) act();
  const { nodes, edges, legend, words, looks, notice } = shownLast ?? {};
  console.log(JSON.stringify({ asked, picture: shownLast && { nodes, edges, legend, words, looks, notice } }));
});
