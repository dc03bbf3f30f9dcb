// The graph as a Streamlit component: takes what the server sends (transfer.py), keeps it for the life of the page, draws
// it, and asks for what is missing.
const ASK_MS = 700;
const told = { epoch: "", table: null };
const mounted = new Map();

// Items of the table; false when some before them are missing.
function learn({ epoch, from, items }) {
  if (told.epoch !== epoch) {
    if (from > 0) return false;
    told.epoch = epoch;
    told.table = makeTable();
  }
  if (from > told.table.count) return false;
  told.table.take(items.slice(told.table.count - from));
  return true;
}

function learnBulks() {
  const bulks = (globalThis.__memorybank_bulks ??= []);
  for (const bulk of bulks.splice(0)) learn(JSON.parse(new TextDecoder().decode(bulk)));
}

const knows = (step) => told.epoch === step.epoch && told.table.count >= step.total;

globalThis.addEventListener("memorybank-bulk", () => {
  learnBulks();
  for (const draw of mounted.values()) draw();
});

function mount({ data, parentElement, setStateValue }) {
  const container = parentElement.querySelector(".graph");
  container.style.height = `${data.height}px`;
  const here = (container.here ??= { graph: openGraph(container, { key: data.key }), timer: 0, asked: 0 });
  learnBulks();
  learn(data);
  // Each click is a new value, so that Python hears it also when it had selected something else meanwhile.
  here.graph.onSelect((node, edge) => setStateValue("clicked", { node, edge, at: Date.now() }));

  const ask = () => {
    if (knows(data) || !container.isConnected) return;
    here.asked += 1;
    setStateValue("asked", { epoch: told.epoch, have: told.table?.count ?? 0, at: Date.now() });
    here.timer = setTimeout(ask, ASK_MS * 2 ** Math.min(here.asked, 6));
  };
  const draw = () => {
    clearTimeout(here.timer);
    const isWhole = knows(data);
    // Wait with a first picture until there is one; an answer on its way needs no asking.
    if (told.epoch === data.epoch && (isWhole || told.table.count > 0)) here.graph.show({ ...told.table.picture(data), ...shown(data) });
    if (isWhole) here.asked = 0;
    else here.timer = setTimeout(ask, data.items.length && here.asked ? 30 : ASK_MS);
  };
  mounted.set(container, draw);
  draw();
  return () => {
    clearTimeout(here.timer);
    mounted.delete(container);
    here.graph.destroy();
    delete container.here;
  };
}

const shown = ({ selected, selected_edge }) => ({ selected, selected_edge });
