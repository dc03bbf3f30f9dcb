export default (component) => {
  const name = "__memorybank_graph";
  let end = () => {};
  const start = () => { end = globalThis[name].mount(component); };
  const lacks = () => globalThis[name] ||
    document.querySelector("[data-test-script-state^=r]") ||
    component.setStateValue("asked", { code: true, at: Date.now() });
  const timer = setInterval(lacks, 5000);
  if (globalThis[name]) start();
  else addEventListener("memorybank-graph", start, { once: true });
  return () => { clearInterval(timer); removeEventListener("memorybank-graph", start); end(); };
};
