
// Boxes that change while a run goes on (live.py). The page keeps the tree that it shows and is sent what differs.
(function () {
/* CHANNEL */
  const waiting = globalThis.__memorybank_live?.waiting ?? [];

  function addTo(tree, entries) {
    for (const patch of entries.flat()) applyTo(tree, patch);
  }

  function show(component) {
    const { data, parentElement, setStateValue } = component;
    const { build, draw, sheet } = globalThis.__memorybank_rich;
    if (data.boxes) {
      draw(component);
      return;
    }
    const root = parentElement.querySelector(".rich");
    const choose = (what) => setStateValue("chosen", { what, count: Date.now() });
    parentElement.adoptedStyleSheets = [sheet];
    const channel = channelOf(`boxes ${data.key}`, () => [], addTo);
    const isShown = root.shown === `${data.epoch} ${channel.have}`;
    const fresh = channel.take(data);
    channel.ask(component, data, root);
    if (!channel.isWhole(data)) return;
    const version = `${channel.epoch} ${channel.have}`;
    if (isShown) for (const patch of fresh.flat()) applyToPage(root, patch, (node) => build(node, choose));
    else if (root.shown !== version) root.replaceChildren(...channel.value.map((box) => build(box, choose)));
    root.shown = version;
  }

  // A patch: the way to a box by its places among its siblings, the first child that goes, how many go, what comes.
  function applyTo(tree, [path, start, gone, come]) {
    let children = tree;
    for (const place of path) children = children[place][2];
    children.splice(start, gone, ...structuredClone(come));
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
