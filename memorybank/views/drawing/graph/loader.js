// The library that pyvis ships and all of our code, as one plain script. It runs once a page.
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

  globalThis.__memorybank_graph = { mount, open: openGraph, pictureOf, nothing, change };
  globalThis.dispatchEvent(new Event("memorybank-graph"));
})();
