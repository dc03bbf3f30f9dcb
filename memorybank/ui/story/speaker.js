// The button of the speaker's window, and what that window hears. It is a document of its own (speaker_page.html), so it
// outlives a reload of this page, which tells it anew; both have one channel, by this tab's own name.
const PAGE = /* PAGE */;
const ID = (sessionStorage["memorybank-speaker"] ||= Array.from(crypto.getRandomValues(new Uint32Array(4))).join("-"));
const NAME = `memorybank-speaker-${ID}`;
const channel = new BroadcastChannel(NAME);
let latest = {};

const BUTTONS = { PageDown: "next", ArrowRight: "next", PageUp: "previous", ArrowLeft: "previous", " ": "pause" };
const FIELDS = "input, textarea, select, [contenteditable]";
const dark = document.createElement("div"); // a black screen, with words for who does not see it
dark.id = "memorybank-dark";
dark.role = "status";
dark.hidden = true;
dark.onclick = () => darken(false);
document.body.append(dark);

function darken(on) {
  dark.hidden = !on;
  dark.textContent = on ? latest.words.dark : "";
  if (!on || !latest.story?.playing) return;
  latest.story.playing = false; // pressed again before the server has answered, it would go on
  click("pause");
}

function click(name) {
  document.querySelector(`.st-key-story-${name} button`)?.click();
}

// A key of a clicker, or of the speaker's window. Out of the dark first.
function press(key) {
  if (!dark.hidden) darken(false);
  else if (key === "b" || key === ".") darken(true);
  else click(BUTTONS[key]);
}

// A clicker is pressed without looking where the focus is. Arrows and Space are heard by the buttons themselves.
document.addEventListener("keydown", (event) => {
  const isPresented = document.documentElement.hasAttribute("data-memorybank-presenting");
  if (!isPresented || !latest.story || event.composedPath()[0].closest(FIELDS)) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (dark.hidden && !["PageDown", "PageUp", "b", "."].includes(key)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  press(key);
}, true);

channel.onmessage = ({ data }) => {
  if (data.key) press(data.key);
  else channel.postMessage(latest); // it has just been opened
};

function open() {
  const page = URL.createObjectURL(new Blob([PAGE], { type: "text/html" }));
  const opened = globalThis.open(page, NAME, "popup,width=760,height=620");
  setTimeout(() => URL.revokeObjectURL(page), 10_000);
  if (opened) opened.focus();
  else this.textContent = latest.words.blocked;
}

function tell(data, look) {
  const colours = ["background", "text", "primary"].map((name) => look.getPropertyValue(`--st-${name}-color`));
  latest = { ...data, colours };
  channel.postMessage(latest);
}

export default function ({ data, parentElement }) {
  const [now] = data.wrapped;
  const button = parentElement.querySelector("button");
  button.textContent = now.words.open;
  button.title = now.words.title;
  button.onclick = open;
  tell(now, getComputedStyle(parentElement.host ?? parentElement));
  return () => {
    latest = { ...latest, story: null };
    channel.postMessage(latest);
  };
}
