// The graph as a Streamlit component: all graphs of the page draw from one table, which the server fills (transfer.py).
const table = channelOf("graph", makeTable, (value, items) => value.take(items));
const mounted = new Map();

globalThis.addEventListener("memorybank-bulk", () => {
  table.takeBulks();
  for (const draw of mounted.values()) draw();
});

function mount(component) {
  const { data, parentElement, setStateValue } = component;
  const container = parentElement.querySelector(".graph");
  container.style.height = `var(--memorybank-graph-height, ${data.height}px)`; // a page that is presented sets its own
  const here = (container.here ??= { graph: openGraph(container, { key: data.key }) });
  table.takeBulks();
  table.take(data);
  // Each click is a new value, so that Python hears it also when it had selected something else meanwhile.
  here.graph.onSelect((node, edge) => setStateValue("clicked", { node, edge, at: Date.now() }));
  const { selected, selected_edge, scene } = data;
  const draw = () => {
    // Wait with a first picture until there is one.
    if (table.epoch === data.epoch && (table.isWhole(data) || table.have > 0))
      here.graph.show({ ...table.value.picture(data), selected, selected_edge, scene });
    table.ask(component, data, here);
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
