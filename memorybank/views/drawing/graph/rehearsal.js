// A small graph drawn once out of sight while the browser has nothing to do, so that the code has been read and compiled
// when the reader asks for a large one.
function rehearse(picture) {
  const wait = globalThis.requestIdleCallback ?? ((act) => setTimeout(act, 200));
  wait(() => {
    if (mounted.size || !document.body) return; // there is a graph already
    const stage = element("div", "");
    stage.setAttribute("aria-hidden", "true");
    stage.inert = true;
    Object.assign(stage.style, { position: "fixed", left: "-2000px", top: "0", width: "600px", height: "400px" });
    document.body.append(stage);
    const graph = openGraph(stage, { key: "rehearsal" });
    graph.show(picture);
    graph.destroy();
    viewports.delete("rehearsal");
    stage.remove();
  });
}
