// Where the mouse rests. vis-network hears of it only while it moves over the canvas: it never learns that it has left, or
// that the page, the view or the picture moved under it, and what it shows on hover would stay for good. Here it is told.
const NOWHERE = { clientX: -1e6, clientY: -1e6 };

function watchPointer(graph) {
  const { box, network, ended } = graph;
  const canvas = box.querySelector("canvas");
  const until = { capture: true, passive: true, signal: ended.signal };
  let place = null; // of the mouse, on the canvas
  let kind = "mouse";
  let shown = null; // the item whose tooltip is seen
  const tell = ({ clientX, clientY }) => canvas.dispatchEvent(new MouseEvent("mousemove", { clientX, clientY }));
  const leave = () => {
    if (place) tell(NOWHERE);
    place = null;
  };
  network.on("showPopup", (id) => { shown = id; });
  network.on("hidePopup", () => { shown = null; });
  for (const name of ["pointerenter", "pointerdown", "pointermove"]) {
    box.addEventListener(name, (event) => { kind = event.pointerType; }, until);
  }
  box.addEventListener("mousemove", (event) => {
    if (!event.isTrusted) return;
    // What a browser sends after a tap: it would show a tooltip that no finger takes away.
    if (kind === "touch") event.stopPropagation();
    else place = { clientX: event.clientX, clientY: event.clientY };
  }, until);
  box.addEventListener("pointerleave", leave, until);
  const host = box.getRootNode().host;
  const isUnder = ({ target }) => target === globalThis || target.contains?.(host);
  for (const name of ["blur", "scroll"]) globalThis.addEventListener(name, (event) => isUnder(event) && leave(), until);
  globalThis.addEventListener("keydown", (event) => event.key === "Escape" && leave(), until);
  return {
    leave,
    // The picture has changed: what says something else now is shown anew, and what has gone is not.
    again(before) {
      const at = place;
      if (!at) return;
      const item = graph.nodeById.get(shown) ?? graph.edgeById.get(shown);
      if (shown !== null && item !== before(shown)) leave();
      place = at;
      tell(at);
    },
  };
}
