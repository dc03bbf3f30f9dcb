// What the benchmark asks of a page: where something is, when the page is at rest, how long an act takes.
globalThis.looking = (() => {
  // Everything on the page, that within the components' shadow roots too.
  function* roots(root = document) {
    yield root;
    for (const element of root.querySelectorAll("*")) if (element.shadowRoot) yield* roots(element.shadowRoot);
  }
  function find(selector) {
    for (const root of roots()) {
      const found = root.querySelector(selector);
      if (found) return found;
    }
    return null;
  }
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const atRest = () => document.querySelector(".stApp")?.getAttribute("data-test-script-state") === "notRunning";
  async function until(holds, patience = 60000) {
    const end = performance.now() + patience;
    while (!holds()) {
      if (performance.now() > end) throw new Error(`never came: ${holds}`);
      await frame();
    }
    await frame();
  }
  // At rest, and for a while: what a finished upload sets going has begun by then.
  async function still(least = 500, patience = 60000) {
    const end = performance.now() + patience;
    let since = performance.now();
    while (performance.now() - since < least) {
      if (performance.now() > end) throw new Error("the page never rests");
      await frame();
      if (!atRest()) since = performance.now();
    }
  }
  async function timed(act, shown) {
    const began = performance.now();
    await act();
    await until(shown);
    return performance.now() - began;
  }
  const turn = (name) => [...document.querySelectorAll("a")].find((link) => link.pathname.endsWith(`/${name}`)).click();
  // As typed and sent with the Enter key: React hears of a value only through the element's own setter.
  function enter(selector, words) {
    const input = find(selector);
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(input, words);
    input.dispatchEvent(new Event("input", { bubbles: true }));
    input.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", code: "Enter", keyCode: 13, bubbles: true }));
  }
  return { enter, turn, find, roots, until, timed, atRest, still };
})();
