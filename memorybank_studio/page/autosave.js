// Listens to a field of the page that is not its own, hands over what was typed at each pause, and says what became of
// it. A text that was not answered yet is not sent again until it is, or until the server has been silent for long.
const PAUSE = 1000; // milliseconds without typing
const LONGEST = 4000; // milliseconds of typing without a pause
const PATIENCE = 8000; // milliseconds until an unanswered text counts as not saved
const fields = (globalThis.__memorybank_autosave ??= new Map());

export default function ({ data, parentElement, setStateValue }) {
  const [told] = data.wrapped;
  const { field, words } = told;
  const line = parentElement.querySelector(".saved");
  const own = fields.get(field) ?? { text: null, since: 0, turn: 0, sentAt: 0 };
  fields.set(field, own);
  own.end?.(); // the drawing before is not always told that it is over
  let timer = 0;

  const waits = () => own.turn > told.heard && Date.now() - own.sentAt < PATIENCE;
  const isUnheard = () => own.turn > told.heard && !waits();

  function show() {
    const time = told.at ? new Date(told.at * 1000).toLocaleTimeString(told.lang) : "";
    const saved = time ? words.at.replace("{time}", () => time) : words.idle;
    const [look, sentence] = isUnheard()
      ? ["problem", words.unheard]
      : own.text !== null || own.turn > told.heard
        ? ["busy", words.saving]
        : told.problem
          ? ["problem", told.problem]
          : ["", saved];
    line.className = `saved ${look}`;
    if (line.textContent !== sentence) line.textContent = sentence;
  }

  function send() {
    clearTimeout(timer);
    if (own.text === null) return show();
    if (waits()) return void (timer = setTimeout(send, 300));
    own.turn = Math.max(Date.now(), own.turn + 1);
    own.sentAt = Date.now();
    const said = { turn: own.turn, text: own.text };
    [own.text, own.since] = [null, 0];
    timer = setTimeout(show, PATIENCE + 100);
    show();
    setStateValue("typed", said);
  }

  const isOurs = ({ target }) =>
    target.tagName === "TEXTAREA" && target.closest(`.st-key-${CSS.escape(field)}`);

  function onInput(event) {
    if (!isOurs(event)) return;
    own.text = event.target.value;
    own.since ||= Date.now();
    clearTimeout(timer);
    timer = setTimeout(send, Math.max(0, Math.min(PAUSE, own.since + LONGEST - Date.now())));
    show();
  }

  const onLeave = (event) => isOurs(event) && own.text !== null && send();

  document.addEventListener("input", onInput, true);
  document.addEventListener("focusout", onLeave, true);
  if (own.text !== null) timer = setTimeout(send, PAUSE);
  else if (waits()) timer = setTimeout(show, PATIENCE + 100);
  show();
  own.end = () => {
    clearTimeout(timer);
    document.removeEventListener("input", onInput, true);
    document.removeEventListener("focusout", onLeave, true);
  };
  return own.end;
}
