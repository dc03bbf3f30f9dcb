
// Boxes that change while a run goes on (live.py). The page keeps the tree that it shows and is sent what differs.
(function () {
  const waiting = globalThis.__memorybank_live?.waiting ?? [];
  const kept = new Map(); // key -> { digest, tree }, also while another page is shown

  function show(component) {
    const { data, parentElement, setStateValue } = component;
    const { build, sheet } = globalThis.__memorybank_rich;
    const root = parentElement.querySelector(".rich");
    const choose = (what) => setStateValue("chosen", { what, count: Date.now() });
    parentElement.adoptedStyleSheets = [sheet];
    const have = kept.get(data.key);
    if (data.boxes) kept.set(data.key, { digest: data.digest, tree: structuredClone(data.boxes) });
    else if (have?.digest === data.base) {
      for (const patch of data.patches) applyTo(have.tree, patch, data.boxes);
      have.digest = data.digest;
      if (root.shown === data.base) {
        for (const patch of data.patches) applyToPage(root, patch, (node) => build(node, choose));
        root.shown = data.digest;
      }
    } else if (have?.digest !== data.digest) {
      tellMissed(component, have?.digest ?? "");
      return;
    }
    const { digest, tree } = kept.get(data.key);
    if (root.shown !== digest) {
      root.replaceChildren(...tree.map((box) => build(box, choose)));
      root.shown = digest;
    }
  }

  // It is told what to start from. What a part says by itself must not win over a page that was just asked for
  // (pages.js): it waits, and is not said of a part that is gone.
  function tellMissed(component, have) {
    if (!component.parentElement.isConnected) return;
    if (globalThis.__memorybank_shell?.isTurning() === false)
      component.setStateValue("missed", { have, count: Date.now() });
    else setTimeout(tellMissed, 250, component, have);
  }

  // A patch: the way to a box by its places among its siblings, the first child that goes, how many go, what comes.
  function applyTo(tree, [path, start, gone, come]) {
    let children = tree;
    for (const place of path) children = children[place][2];
    children.splice(start, gone, ...come);
  }

  function applyToPage(root, [path, start, gone, come], make) {
    let parent = root;
    for (const place of path) parent = parent.childNodes[place];
    for (let left = gone; left > 0; left--) parent.childNodes[start].remove();
    const next = parent.childNodes[start] ?? null;
    for (const node of come) parent.insertBefore(make(node), next);
  }

  globalThis.__memorybank_live = { show };
  waiting.forEach(show);
})();
