// Whether the server is drawing the page, or has been asked to: what a part lacks may be on its way.
function isDrawing() {
  const state = document.querySelector("[data-test-script-state]")?.dataset.testScriptState;
  return state === "running" || state === "rerunRequested";
}
