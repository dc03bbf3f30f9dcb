// The mounted component: hands each run of the page to `mount` (view.js) as soon as the loader has brought it.
export default function (component) {
  let unmount = () => {};
  const start = () => {
    unmount = globalThis.__memorybank_graph.mount(component);
  };
  if (globalThis.__memorybank_graph) start();
  else globalThis.addEventListener("memorybank-graph", start, { once: true });
  return () => {
    globalThis.removeEventListener("memorybank-graph", start);
    unmount();
  };
}
