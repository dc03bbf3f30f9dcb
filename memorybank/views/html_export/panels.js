// What stands beside the graph, one panel a tab: Insight Doc, node, conflicts and merges, events, sources.
const MOST_LINES = 200;
const chosen = { node: null, source: null, tab: "doc" };

// Where a node is now: merges are followed.
function successor(id, k) {
  let live = id;
  for (let into = live; into !== null; into = run.gone[live] ? valueAt(run.gone[live], k) : null) live = into;
  return live;
}

function selectNode(id) {
  chosen.node = id;
  openTab("node");
  redraw();
}

// Where a link leads (ui/shell/links.py): here every kind has a panel of this page.
function follow(what) {
  const [kind, id] = what.split(/:(.*)/s);
  if (kind === "node" || kind === "tree") selectNode(id);
  else if (kind === "value") selectNode(id.split(/[.@]/)[0]);
  else if (kind === "moment") goTo(Number(id));
  else if (kind === "entry") {
    chosen.source = placeIn(id);
    openTab("sources");
    const panel = document.getElementById("panel-sources");
    (panel.querySelector("mark") ?? panel).scrollIntoView({ block: "nearest" });
  } else if (kind === "conflict" || kind === "merge") {
    openTab("conflicts");
    const found = document.getElementById(`${kind}-${id}`) ?? disputeOf(id);
    found?.closest(".case > .pairs")?.parentElement.unfold();
    found?.unfold();
    found?.scrollIntoView({ block: "start" });
  }
}

// A place in an entry, as a link names it (views/text/passages.py): `e6`, or `e6@31-108`.
function placeIn(address) {
  const [, entry, start, end] = address.match(/^([^@]+)(?:@(\d{1,12})-(\d{1,12}))?$/) ?? [null, address];
  return { id: entry, start: Number(start ?? 0), end: Number(end ?? 0) };
}

function empty(words) {
  return make("p", "nothing", words);
}

// A list to choose from, with the way through it by keyboard that every browser has.
function chooser(words, act) {
  const select = make("select", "chooser");
  select.setAttribute("aria-label", words);
  select.onchange = () => act(select.value);
  let shown = "";
  select.fill = (options, value) => {
    const key = JSON.stringify(options);
    if (key !== shown) select.replaceChildren(...options.map(([name, text]) => new Option(text, name)));
    shown = key;
    select.value = value ?? "";
    select.hidden = !options.length;
  };
  return select;
}

function textOf(number) {
  const item = run.pool[number];
  return typeof item === "string" ? item : item[2].map(textOf).join("");
}

// -- the panels: each gives its element and a function that shows moment k ---------------------------------------------

function docPanel() {
  const none = empty(say("begin"));
  const doc = place();
  return [make("div", "", none, doc), (k) => {
    const number = valueAt(run.tracks.doc ?? [], k);
    none.hidden = number !== null;
    doc.show(numberOr(number));
  }];
}

function numberOr(value) {
  return value === null ? [] : [value];
}

function nodePanel() {
  const list = chooser(say("nodes"), selectNode);
  const note = make("p", "note");
  const card = place();
  const raw = make("div", "raw-texts");
  const panel = make("div", "", list, note, card, raw);
  let shown = "";
  return [panel, (k) => {
    const cards = valuesAt(run.cards, k);
    const live = chosen.node === null ? null : successor(chosen.node, k);
    const found = cards.get(live) ?? null;
    const labels = [...cards.keys()].reverse().map((id) => [id, `${textOf(cards.get(id)[2])} · ${id}`]);
    list.fill([...(found ? [] : [["", say("choose_node")]]), ...labels], found ? live : "");
    note.textContent = noteOn(live, found, cards.size);
    const key = JSON.stringify([live, found]);
    if (key === shown) return;
    shown = key;
    card.show(found ? [found[0]] : []);
    raw.replaceChildren(...(found ? rawTexts(found[1]) : []));
  }];
}

function noteOn(live, found, count) {
  if (!count) return say("no_nodes");
  if (chosen.node === null) return "";
  if (!found) return say("not_yet");
  return live === chosen.node ? "" : say("merged_into", { from: chosen.node, into: live });
}

function rawTexts(entries) {
  const title = make("h3", "", say("raw"));
  return [title, ...entries.flatMap(([number, files]) => [place().show([number]), ...files.map(picture)])];
}

// The dispute whose only conflict this is.
function disputeOf(id) {
  return [...document.querySelectorAll("#panel-conflicts .cases > .case")].find((one) => one.conflicts?.includes(id));
}

// Disputes, then merges, the newest first; each unfolds. The newest of each kind is open until the reader has chosen.
function conflictsPanel() {
  const none = empty(say("no_conflicts"));
  const list = make("div", "cases");
  const cases = new Map();
  const draw = (kind, tracks, k) => [...valuesAt(tracks, k)].reverse().map(([id, value], place) => {
    const name = `${kind}-${id}`;
    if (!cases.has(name)) cases.set(name, caseOf(name));
    return cases.get(name).show(value, place === 0);
  });
  return [make("div", "", none, list), (k) => {
    const shown = [...draw("dispute", run.conflicts, k), ...draw("merge", run.merges, k)];
    none.hidden = shown.length > 0;
    if (shown.length !== list.children.length || shown.some((one, at) => one !== list.children[at])) {
      list.replaceChildren(...shown);
    }
  }];
}

function caseOf(name) {
  const head = place("case-head");
  const body = place("case-body");
  const summary = make("summary", "", head);
  const pairs = make("div", "pairs");
  const details = make("details", "case", summary, body, pairs);
  const members = new Map();
  details.id = name;
  let parts = [];
  let isChosen = false;
  const drawBody = () => { if (details.open) body.show(parts); };
  details.ontoggle = drawBody;
  summary.onclick = () => { isChosen = true; };
  details.unfold = () => { isChosen = true; details.open = true; };
  // The single conflicts of a dispute with several: each unfolds like a case of its own.
  const drawMembers = (conflicts) => {
    const shown = conflicts.filter((one) => one.length > 1).map(([id, ...value]) => {
      if (!members.has(id)) members.set(id, caseOf(`conflict-${id}`));
      return members.get(id).show(value, false);
    });
    if (shown.length !== pairs.children.length || shown.some((one, at) => one !== pairs.children[at])) {
      pairs.replaceChildren(...shown);
    }
  };
  details.show = ([headNumber, partNumbers, state, conflicts = []], isFirst) => {
    details.className = `case ${state}`;
    details.conflicts = conflicts.map(([id]) => id);
    drawMembers(conflicts);
    head.show([headNumber]);
    parts = partNumbers;
    if (!isChosen) details.open = isFirst;
    drawBody();
    return details;
  };
  return details;
}

function feedPanel() {
  const feed = place("feed-place");
  return [feed, (k) => {
    const known = lines.filter((line) => line.seq <= k);
    const boxes = [];
    let last = "";
    for (const { seq, tone, round, stage, words, node } of known.slice(-MOST_LINES).reverse()) {
      const head = round ? say("round", { round, stage: textOf(stage) }) : textOf(stage);
      if (head !== last) boxes.push(["li", "head", [head]]);
      last = head;
      const choose = node ? `node:${node}` : `moment:${seq}`;
      boxes.push(["li", tone, [["span", "text", [textOf(words)], { choose }]]]);
    }
    if (known.length > MOST_LINES) boxes.push(["li", "head", [say("earlier", { count: known.length - MOST_LINES })]]);
    feed.showBoxes([["ol", "feed", boxes]]);
  }];
}

// One source, whole. A source that is not there at this moment is said to be missing: no other stands in for it.
function sourcesPanel() {
  const list = chooser(say("sources"), (id) => { chosen.source = { id, start: 0, end: 0 }; redraw(); });
  const none = empty(say("no_sources"));
  const note = make("p", "note");
  const head = place();
  const raw = make("div", "raw");
  const pictures = make("div");
  let last = null;
  return [make("div", "", list, none, note, head, raw, pictures), (k) => {
    const known = Object.entries(run.sources).filter(([, [seq]]) => seq <= k);
    const asked = chosen.source ?? { id: known[0]?.[0], start: 0, end: 0 };
    const found = known.find(([id]) => id === asked.id)?.[1] ?? null;
    const labels = known.map(([id, entry]) => [id, entry[4]]);
    list.fill(found ? labels : [["", say("choose_source")], ...labels], found ? asked.id : "");
    none.hidden = known.length > 0;
    note.textContent = known.length && !found ? say("no_such_source", { id: asked.id }) : "";
    raw.hidden = !found;
    const key = JSON.stringify([asked, found !== null]);
    if (key === last) return;
    last = key;
    head.show(found ? [found[1]] : []);
    raw.replaceChildren(...(found ? marked(textOf(found[2]), found[5], asked) : []));
    pictures.replaceChildren(...(found ? found[3].map(picture) : []));
  }];
}

// A text with the stretch marked that a link points at. A link counts characters, not the units of JavaScript, and counts
// those that were left out of the shown text too (`dropped`: where they stood).
function marked(text, dropped, { start, end }) {
  const shown = Array.from(text);
  const [first, last] = [start, end].map((at) => at - dropped.filter((one) => one < at).length);
  if (last <= first || last > shown.length) return [text];
  const part = (from, to) => shown.slice(from, to).join("");
  return [part(0, first), make("mark", "", part(first, last)), part(last)];
}

// -- the tabs ---------------------------------------------------------------------------------------------------------

const PANELS = {
  doc: docPanel,
  node: nodePanel,
  conflicts: conflictsPanel,
  events: feedPanel,
  sources: sourcesPanel,
};
const tabs = new Map();

function openTab(name) {
  chosen.tab = name;
  for (const [other, { tab, panel }] of tabs) {
    tab.setAttribute("aria-selected", String(other === name));
    tab.tabIndex = other === name ? 0 : -1;
    panel.hidden = other !== name;
  }
  redraw();
}

function redraw() {
  tabs.get(chosen.tab).show(player.at);
  showGraph(player.at);
}

function drawTabs() {
  const list = make("div", "tabs");
  list.setAttribute("role", "tablist");
  list.setAttribute("aria-label", say("parts"));
  const panels = make("div", "panels");
  for (const [name, build] of Object.entries(PANELS)) {
    const [inside, show] = build();
    const tab = button("tab", say(`tab.${name}`), null, () => openTab(name));
    const count = make("span", "badge");
    tab.append(count);
    tab.id = `tab-${name}`;
    tab.setAttribute("role", "tab");
    tab.setAttribute("aria-controls", `panel-${name}`);
    tab.removeAttribute("title");
    const panel = make("div", `panel ${name}`, inside);
    panel.id = `panel-${name}`;
    panel.tabIndex = 0;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", tab.id);
    tabs.set(name, { tab, panel, show, count });
    list.append(tab);
    panels.append(panel);
  }
  list.onkeydown = (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step || event.shiftKey) return;
    event.stopPropagation();
    event.preventDefault();
    const names = [...tabs.keys()];
    openTab(names[(names.indexOf(chosen.tab) + step + names.length) % names.length]);
    tabs.get(chosen.tab).tab.focus();
  };
  onMoment((k) => {
    const found = valuesAt(run.conflicts, k).size + valuesAt(run.merges, k).size;
    tabs.get("conflicts").count.textContent = found || "";
    tabs.get(chosen.tab).show(k);
  });
  return make("section", "side", list, panels);
}
