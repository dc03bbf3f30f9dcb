// Everything that does not change: the vis-network build that pyvis ships, and our code that draws with it. It runs once
// a page and hands `mount` to the graph component, whose own code is sent again with each change and is therefore tiny.
(function () {
  if (globalThis.__memorybank_graph) return;

  // The library is a UMD module: in here it finds a `module` of its own and touches no global.
  const vis = (function () {
    const module = { exports: {} };
    const exports = module.exports;
    const define = undefined;
/* VIS */
    return module.exports;
  }).call(globalThis);

  const CSS = /* CSS */;

/* CODE */

  globalThis.__memorybank_graph = { mount };
  globalThis.dispatchEvent(new Event("memorybank-graph"));
})();

export default function () {}
