// The graph as a Streamlit component: its picture is kept here for the life of the page, and what differs is sent (transfer.py).
const nothing = () => ({ nodes: new Map(), edges: new Map(), frame: new Map() });

function change(picture, entries) {
  for (const [part, name, content] of entries) {
    if (content === null) picture[part].delete(name);
    else picture[part].set(name, content);
  }
}

function mount(component) {
  const { data, parentElement, setStateValue } = component;
  const container = parentElement.querySelector(".graph");
  container.style.height = `var(--memorybank-graph-height, ${data.height}px)`; // a page that is presented sets its own
  const here = (container.here ??= { graph: openGraph(container, { key: data.key }) });
  // Each click is a new value, so that Python hears it also when it had selected something else meanwhile.
  here.graph.onSelect((node) => setStateValue("clicked", { node, at: Date.now() }));
  const channel = channelOf(`graph ${data.key}`, nothing, change);
  channel.take(data);
  channel.ask(component, data, here);
  if (channel.isWhole(data)) here.graph.show(pictureOf(channel.value, data));
  return () => {
    clearTimeout(here.timer);
    here.graph.destroy();
    delete container.here;
  };
}

// Nodes and edges by id and the frame's pieces by name, as `show` takes them.
function pictureOf({ nodes, edges, frame }, said) {
  return { nodes: [...nodes.values()], edges: [...edges.values()], ...Object.fromEntries(frame), ...said };
}
