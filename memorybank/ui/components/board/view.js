// The board: drawn anew with each word of Python's, and at once with each move of the author's. All text arrives as data
// and becomes text nodes. What Python has not heard yet is said again with the next move: none is lost on the way.
const boards = new WeakMap();

function element(name, look, ...inside) {
  const made = document.createElement(name);
  if (look) made.className = look;
  made.append(...inside);
  return made;
}

function fill(sentence, values) {
  return sentence.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

function button(words, what, act, more = {}) {
  const made = element("button", "", words);
  made.type = "button";
  made.dataset.what = what;
  made.onclick = act;
  for (const [name, value] of Object.entries(more)) made.setAttribute(name, value);
  return made;
}

class Board {
  constructor(root) {
    this.rows = element("div", "lanes");
    this.live = element("p", "live");
    this.live.setAttribute("role", "status");
    root.classList.add("arrows"); // arrows belong to the board while it has the keyboard (keys.js)
    root.replaceChildren(this.live, this.rows);
    this.pending = [];
    this.open = "";
    this.current = "";
    this.isNew = true;
    this.rows.onkeydown = (event) => keysOf(this, event);
    this.rows.onpointerdown = (event) => dragging(this, event);
    this.rows.onfocusin = (event) => this.makeCurrent(event.target.closest(".card"));
    this.root = root;
  }

  // Python's word counts as soon as it has heard the last move; until then that stays on top of it.
  take(data, say) {
    this.data = data;
    this.say = say;
    this.pending = this.pending.filter((act) => act.turn > data.heard);
    if (this.isHeld) this.waits = true;
    else this.reset();
  }

  reset() {
    this.waits = false;
    this.lifted = null;
    this.lanes = structuredClone(this.data.lanes);
    for (const act of this.pending) model.apply(this.lanes, act);
    this.draw();
  }

  // A move in progress is not drawn over.
  get isHeld() {
    return Boolean(this.dragged || this.lifted);
  }

  act(act) {
    this.pending.push({ turn: Math.max(Date.now(), (this.pending.at(-1)?.turn ?? 0) + 1), as_of: this.data.as_of, ...act });
    this.say({ acts: this.pending });
  }

  place(key, lane, before) {
    const spot = model.find(this.lanes, key);
    if (!spot || (spot.lane.name === lane && model.before(spot) === before)) return;
    const act = { act: "place", plan: key, was: spot.lane.name, lane, before };
    this.act(act);
    model.apply(this.lanes, act);
    this.draw();
    this.tell(key);
  }

  turn(card, status) {
    const act = { act: "status", plan: card.key, was: card.status, status };
    this.act(act);
    model.apply(this.lanes, act);
    this.draw();
  }

  // Among the cards of its outline, so many places on.
  shift(key, by) {
    const { lane, group, place } = model.find(this.lanes, key);
    const at = place + by;
    if (at < 0 || at >= group.cards.length) return;
    this.place(key, lane.name, (by < 0 ? group.cards[at] : group.cards[at + 1])?.key ?? null);
  }

  // Where it stands now, for who does not see it.
  tell(key, sentence = this.data.words.place) {
    const { lane, group, place, card } = model.find(this.lanes, key);
    this.live.textContent = fill(sentence, { title: card.title, lane: lane.label, at: place + 1, of: group.cards.length });
  }

  // -- drawing

  draw() {
    const scrolled = new Map([...this.rows.children].map((lane) => [lane.dataset.lane, lane.querySelector(".list").scrollTop]));
    const focused = this.rows.getRootNode().activeElement;
    const held = focused && this.rows.contains(focused) ? [focused.closest(".card")?.dataset.key, focused.dataset.what] : null;
    const first = this.lanes.flatMap((lane) => lane.groups).flatMap((group) => group.cards)[0];
    if (!model.find(this.lanes, this.current)) this.current = first?.key ?? "";
    this.rows.replaceChildren(...this.lanes.map((lane) => this.lane(lane)));
    for (const lane of this.rows.children) {
      const list = lane.querySelector(".list");
      if (scrolled.has(lane.dataset.lane)) list.scrollTop = scrolled.get(lane.dataset.lane);
      else if (this.isNew) showCurrent(list);
    }
    this.isNew = false;
    if (held) this.focus(...held);
  }

  focus(key, what) {
    const card = this.card(key);
    const target = (what && card?.querySelector(`[data-what="${CSS.escape(what)}"]:enabled`)) || card;
    target?.focus({ preventScroll: true });
    card?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  card = (key) => this.rows.querySelector(`.card[data-key="${CSS.escape(key ?? "")}"]`);

  lane(lane) {
    const notes = lane.notes.map((words) => element("span", "", words));
    const list = element("div", "list", ...lane.groups.map((group) => this.group(group)));
    if (!lane.groups.length) list.append(element("p", "quiet", this.data.words.none));
    const made = element("section", "lane", element("header", "", element("h4", "", lane.label), ...notes), list);
    made.dataset.lane = lane.name;
    made.setAttribute("aria-label", lane.label);
    return made;
  }

  group(group) {
    const cards = element("ol", "", ...group.cards.map((card, place) => this.cardOf(card, place, group)));
    const made = element("div", "group", element("p", "outline", group.title), cards);
    made.dataset.group = group.key;
    made.dataset.order = group.order;
    return made;
  }

  cardOf(card, place, group) {
    const { words, data } = { words: this.data.words, data: this.data };
    const isOpen = this.open === card.key;
    const made = element("li", `card ${card.status}${isOpen ? " open" : ""}${this.lifted?.key === card.key ? " lifted" : ""}`);
    const handle = element("span", "handle", "⠿");
    handle.setAttribute("aria-hidden", "true");
    made.append(element("div", "head", handle, element("p", "title", card.title)));
    if (card.text) made.append(element("p", "text", card.text));
    const marks = element("p", "acts", element("span", `mark ${card.status}`, words[card.status]));
    if (card.due) marks.append(element("span", card.late ? "mark late" : "mark", card.due));
    const acts = element("div", "acts");
    for (const [status, name] of data.moves[card.status]) acts.append(button(words[name], status, () => this.turn(card, status)));
    acts.append(button(words.more, "more", () => this.toggle(card.key), { "aria-expanded": String(isOpen) }));
    made.append(marks, acts);
    if (isOpen) made.append(this.more(card, place, group));
    made.dataset.key = card.key;
    made.tabIndex = this.current === card.key ? 0 : -1;
    this.reach(made, this.current === card.key);
    return made;
  }

  // What a drag does, by buttons; and what only a completed step can do.
  more(card, place, group) {
    const { words } = this.data;
    const earlier = button(words.earlier, "earlier", () => this.shift(card.key, -1));
    const later = button(words.later, "later", () => this.shift(card.key, 1));
    earlier.disabled = place === 0;
    later.disabled = place === group.cards.length - 1;
    const lanes = element("select", "");
    lanes.dataset.what = "lanes";
    const own = model.find(this.lanes, card.key).number;
    for (const [number, lane] of this.lanes.entries()) lanes.append(new Option(lane.label, number, false, number === own));
    lanes.onchange = () => this.place(card.key, this.lanes[lanes.value].name, null);
    const acts = element("div", "acts", earlier, later, element("label", "", `${words.lane} `, lanes));
    if (card.status === "Completed") acts.append(button(words.facts, "facts", () => this.act({ act: "facts", plan: card.key })));
    return acts;
  }

  toggle(key) {
    this.open = this.open === key ? "" : key;
    this.draw();
  }

  // One card is in the order of the Tab key, with what is in it; arrows lead to the others.
  makeCurrent(card) {
    if (!card || card.dataset.key === this.current) return;
    const before = this.card(this.current);
    if (before) this.reach(before, false);
    this.reach(card, true);
    this.current = card.dataset.key;
  }

  reach(card, isCurrent) {
    for (const each of [card, ...card.querySelectorAll("button, select")]) each.tabIndex = isCurrent ? 0 : -1;
  }
}

// What is done lies above what is to do. How high a card is, is known once it was in sight: so it is looked for again.
function showCurrent(list, tries = 3) {
  const now = list.querySelector(".card.InProgress") ?? list.querySelector(".card.Pending");
  if (!now || !tries) return;
  list.scrollTop += now.getBoundingClientRect().top - list.getBoundingClientRect().top - 40;
  requestAnimationFrame(() => showCurrent(list, tries - 1));
}

function mount(component) {
  component.parentElement.adoptedStyleSheets = [sheet];
  const root = component.parentElement.querySelector(".board");
  if (!boards.has(root)) boards.set(root, new Board(root));
  boards.get(root).take(component.data.wrapped[0], (said) => component.setStateValue("said", said));
}
