export default (component) => {
  const name = "__memorybank_graph";
  const PATIENCE = 5000;
  let end = () => {};
  let timer = setTimeout(look, PATIENCE);
  const start = () => { end = globalThis[name].mount(component); };
  function look() {
    if (globalThis[name]) return;
    if (isDrawing()) timer = setTimeout(look, PATIENCE);
    else component.setStateValue("asked", { code: true, at: Date.now() });
  }
  if (globalThis[name]) start();
  else addEventListener("memorybank-graph", start, { once: true });
  return () => { clearTimeout(timer); removeEventListener("memorybank-graph", start); end(); };
};
