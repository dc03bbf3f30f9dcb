// Moving a card: by arrows once Space has lifted it, and by pointer; a finger takes it by its handle, for elsewhere it
// scrolls.
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const THRESHOLD = 6; // pixels before a press is a drag
const EDGE = 48; // pixels from an edge within which the lane, or the board, is scrolled
const SPEED = 14; // pixels of it, each
const PERIOD = 16; // milliseconds

function keysOf(board, event) {
  const card = event.target.closest(".card");
  if (!card) return;
  const key = card.dataset.key;
  if (event.key === "Escape") {
    if (board.lifted) putBack(board);
    else if (event.target === card) return;
    board.focus(key);
  } else if (event.target !== card) return;
  else if (event.key === " ") board.lifted ? drop(board) : lift(board, key);
  else if (event.key === "Enter") board.toggle(key);
  else if (ARROWS[event.key]) (board.lifted ? carry : walk)(board, key, ...ARROWS[event.key]);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function lift(board, key) {
  board.lifted = { key, before: structuredClone(board.lanes) };
  board.draw();
  board.tell(key, board.data.words.lifted);
}

function putBack(board) {
  const { key } = board.lifted;
  board.reset();
  if (model.find(board.lanes, key)) board.tell(key, board.data.words.put_back);
}

function drop(board) {
  const { key, before } = board.lifted;
  const spot = model.find(board.lanes, key);
  const [lane, next] = [spot.lane.name, model.before(spot)];
  board.lifted = null;
  board.lanes = before;
  board.draw();
  board.place(key, lane, next);
  if (board.waits) board.reset();
}

function carry(board, key, aside, down) {
  const spot = model.find(board.lanes, key);
  const lane = board.lanes[spot.number + aside];
  const cards = (aside ? lane?.groups.find((group) => group.key === spot.group.key)?.cards : spot.group.cards) ?? [];
  const at = spot.place + down;
  if (!lane || (down && (at < 0 || at >= cards.length))) return;
  const before = (down > 0 ? cards[at + 1] : cards[at])?.key ?? null;
  model.place(board.lanes, { plan: key, lane: lane.name, before });
  board.draw();
  board.focus(key);
  board.tell(key);
}

// To the card above or below, or to the one beside it in the next lane that has any.
function walk(board, key, aside, down) {
  const all = board.lanes.map((lane) => lane.groups.flatMap((group) => group.cards));
  const { number } = model.find(board.lanes, key);
  const at = all[number].findIndex((card) => card.key === key);
  let to = all[number][at + down];
  for (let lane = number + aside; aside && all[lane]; lane += aside) {
    to = all[lane][Math.min(at, all[lane].length - 1)];
    if (to) break;
  }
  if (to) board.focus(to.key);
}

// -- by pointer

function dragging(board, event) {
  const card = event.target.closest(".card");
  const isHandle = event.target.closest(".handle");
  if (!card || event.button !== 0 || board.isHeld || event.target.closest("button, select, label")) return;
  if (event.pointerType !== "mouse" && !isHandle) return;
  const from = { x: event.clientX, y: event.clientY };
  const ending = new AbortController();
  const listen = (name, then) => window.addEventListener(name, then, { signal: ending.signal, capture: true });
  let at = from;
  let timer = 0;
  listen("pointermove", (moved) => {
    at = { x: moved.clientX, y: moved.clientY };
    if (!board.dragged && Math.hypot(at.x - from.x, at.y - from.y) < THRESHOLD) return;
    if (!board.dragged) {
      board.dragged = begin(board, card, from);
      timer = setInterval(() => scroll(board, at) && follow(board, at), PERIOD);
    }
    moved.preventDefault();
    follow(board, at);
  });
  const end = (isDropped) => {
    ending.abort();
    clearInterval(timer);
    const drag = board.dragged;
    if (!drag) return;
    board.dragged = null;
    drag.ghost.remove();
    drag.slot.remove();
    board.root.classList.remove("dragging");
    card.classList.remove("away");
    if (isDropped && drag.lane !== undefined) board.place(drag.key, drag.lane, drag.before);
    if (board.waits) board.reset();
  };
  listen("pointerup", () => end(true));
  listen("pointercancel", () => end(false));
  listen("keydown", (pressed) => pressed.key === "Escape" && board.dragged && (pressed.preventDefault(), end(false)));
}

function begin(board, card, from) {
  const { left, top, width } = card.getBoundingClientRect();
  const ghost = card.cloneNode(true);
  ghost.classList.add("ghost");
  ghost.style.width = `${width}px`;
  ghost.setAttribute("aria-hidden", "true");
  ghost.removeAttribute("data-key");
  card.classList.add("away");
  board.root.classList.add("dragging");
  board.root.append(ghost);
  const { group, order } = card.closest(".group").dataset;
  return { key: card.dataset.key, group, order: Number(order), ghost, slot: element("li", "slot"), grip: { x: from.x - left, y: from.y - top } };
}

// The slot shows where it would come to stand: in the lane under the pointer, among the cards of its own outline.
function follow(board, { x, y }) {
  const drag = board.dragged;
  drag.ghost.style.translate = `${x - drag.grip.x}px ${y - drag.grip.y}px`;
  const lanes = [...board.rows.children];
  const distance = (lane) => {
    const { left, right } = lane.getBoundingClientRect();
    return Math.max(left - x, x - right, 0);
  };
  const lane = lanes.reduce((nearest, each) => (distance(each) < distance(nearest) ? each : nearest));
  const group = lane.querySelector(`.group[data-group="${CSS.escape(drag.group)}"]`);
  const cards = [...(group?.querySelectorAll(".card") ?? [])].filter((card) => card.dataset.key !== drag.key);
  const next = cards.find((card) => {
    const { top, height } = card.getBoundingClientRect();
    return y < top + height / 2;
  });
  const before = next?.dataset.key ?? null;
  if (drag.lane === lane.dataset.lane && drag.before === before) return;
  Object.assign(drag, { lane: lane.dataset.lane, before });
  if (next) next.before(drag.slot);
  else if (group) group.querySelector("ol").append(drag.slot);
  else {
    const later = [...lane.querySelectorAll(".group")].find((each) => Number(each.dataset.order) > drag.order);
    lane.querySelector(".list").insertBefore(drag.slot, later ?? null);
  }
  drag.slot.scrollIntoView({ block: "nearest" });
}

function scroll(board, { x, y }) {
  const towards = (at, low, high) => (at < low + EDGE ? -SPEED : at > high - EDGE ? SPEED : 0);
  const { left, right } = board.rows.getBoundingClientRect();
  board.rows.scrollLeft += towards(x, left, right);
  const list = board.dragged.slot.closest(".list");
  if (!list) return true;
  const { top, bottom } = list.getBoundingClientRect();
  list.scrollTop += towards(y, top, bottom);
  return true;
}
