// Listens to the text fields of the studio's page, hands over what was typed at each pause, and says what became of it.
// Until the server has saved it, the browser keeps it with the tab: a reload or a killed server takes nothing away.
const PAUSE = 1000; // milliseconds without typing
const PATIENCE = 8000; // milliseconds until a text that was not answered for is sent again
const PRESS = 1500; // milliseconds in which a press may have reached the server: a text on its heels would undo it
const studios = (globalThis.__memorybank_autosave ??= new Map());

export default function ({ data, parentElement, setStateValue }) {
  const [told] = data.wrapped;
  const { studio, fields, words } = told;
  const line = parentElement.querySelector(".saved");
  const place = `memorybank-typed-${studio}`;
  const left = () => JSON.parse(sessionStorage.getItem(place) ?? "{}");
  const own = studios.get(studio) ?? { texts: left(), sent: {}, turn: 0, sentAt: 0, typedAt: 0, pressedAt: 0 };
  studios.set(studio, own);
  if (studio !== "new") sessionStorage.removeItem("memorybank-typed-new"); // a story was begun: its form brought them
  studios.end?.(); // the drawing before is not always told that it is over
  let timer = 0;

  const isWaiting = () => Object.keys(own.texts).length > 0;
  const isAnswered = () => own.turn <= told.heard;
  const isPatient = () => !isAnswered() && Date.now() - own.sentAt < PATIENCE;

  function isPressed() {
    const isRunning = document.querySelector("[data-test-script-state=running]") !== null;
    return isRunning || Date.now() - own.pressedAt < PRESS;
  }

  function keep() {
    try {
      sessionStorage.setItem(place, JSON.stringify(own.texts));
    } catch {} // the browser has no room, or keeps nothing: the text waits in the page alone
  }

  function show() {
    const time = told.at ? new Date(told.at * 1000).toLocaleTimeString(told.lang) : "";
    const isUnheard = isWaiting() && !isAnswered() && !isPatient();
    const busy = isWaiting() ? words.saving : time && words.at.replace("{time}", () => time);
    const problem = told.problem || (isUnheard && words.unheard);
    line.className = problem ? "saved problem" : "saved";
    if (line.textContent !== (problem || busy)) line.textContent = problem || busy;
  }

  function later(wait) {
    clearTimeout(timer);
    timer = setTimeout(() => send(), wait);
  }

  const boxOf = (field) => document.querySelector(`.st-key-${CSS.escape(field)} :is(textarea, input)`);

  function send(atOnce = false) {
    show();
    if (!isWaiting()) return;
    if (!atOnce && (isPressed() || isPatient())) return later(100);
    own.turn = Math.max(Date.now(), own.turn + 1);
    own.sentAt = Date.now();
    own.sent = { ...own.texts };
    const isOther = (field) => field === own.taken || boxOf(field)?.value !== own.sent[field];
    const other = Object.keys(own.sent).filter(isOther);
    later(PATIENCE + 100);
    setStateValue("typed", { turn: own.turn, texts: own.sent, other });
  }

  function fieldOf(target) {
    const classes = target.matches?.("textarea, input") ? target.closest("[class*='st-key-']")?.classList : null;
    return fields.find((field) => classes?.contains(`st-key-${field}`));
  }

  // What is typed into a list is a search until the list is left; then it is taken, though it was not picked: the list
  // itself forgets it, the server puts it there.
  const isList = (target) => target.getAttribute("role") === "combobox";

  function leave({ type, key, target }) {
    const list = document.activeElement;
    const isLeft = type === "keydown" ? key === "Tab" : target !== list && !target.closest("[role=listbox]");
    if (list !== own.searched || !isLeft) return;
    own.taken = fieldOf(list);
    hear({ type: "focusout", target: list });
    own.searched = null;
  }

  function hear({ type, target, relatedTarget, isTrusted = true }) {
    const field = fieldOf(target);
    const hasLeft = type === "focusout";
    if (!field || (hasLeft && !isTrusted)) return; // a list says that it is left whenever it turns to one of its options
    if (isList(target)) {
      if (!hasLeft) [own.searched, own.taken] = [target, null];
      if (!hasLeft || (own.taken === field && own.searched !== target)) return;
    } else if (hasLeft && !(field in own.texts)) return;
    own.texts[field] = target.value;
    own.typedAt = Date.now();
    keep();
    const isSubmitted = relatedTarget?.closest("[data-testid=stFormSubmitButton]"); // the form brings its words itself
    if (hasLeft && !isSubmitted && own.texts[field] !== own.sent[field]) return send(true);
    later(PAUSE);
    show();
  }

  function press({ type, key, target }) {
    if (key === "Enter" || key === "Escape") own.searched = null; // it was chosen from, or given up
    if (type === "click" ? !fieldOf(target) : key === "Enter") own.pressedAt = Date.now();
    const step = target.closest?.("[data-testid^=stNumberInputStep]")?.closest("[data-testid=stNumberInput]");
    const stepped = key === "ArrowUp" || key === "ArrowDown" ? target : step?.querySelector("input");
    if (stepped) setTimeout(() => hear({ type: "input", target: stepped })); // when it shows its new number
  }

  if (isAnswered()) {
    for (const [field, text] of Object.entries(own.sent))
      if (own.texts[field] === text && !told.failed.includes(field)) delete own.texts[field];
    own.sent = {};
    keep();
  }
  const heard = [
    ["pointerdown", leave],
    ["keydown", leave],
    ["input", hear],
    ["focusout", hear],
    ["click", press],
    ["keydown", press],
  ];
  for (const [type, act] of heard) document.addEventListener(type, act, true);
  if (isWaiting()) later(told.failed.length ? PATIENCE : own.typedAt + PAUSE - Date.now());
  show();
  studios.end = () => {
    clearTimeout(timer);
    for (const [type, act] of heard) document.removeEventListener(type, act, true);
  };
  return studios.end;
}
