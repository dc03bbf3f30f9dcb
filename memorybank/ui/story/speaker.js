// The button of the speaker's window, and what that window hears. It is a document of its own (speaker_page.html), so it
// outlives a reload of this page, which tells it anew; both have one channel, by this tab's own name.
const PAGE = /* PAGE */;
const ID = (sessionStorage["memorybank-speaker"] ||= Array.from(crypto.getRandomValues(new Uint32Array(4))).join("-"));
const NAME = `memorybank-speaker-${ID}`;
const channel = new BroadcastChannel(NAME);
let latest = {};

channel.onmessage = ({ data }) => {
  if (data.key) globalThis.__memorybank_shell?.press(data.key);
  else channel.postMessage(latest); // it has just been opened
};

function open() {
  globalThis.__memorybank_shell?.stay(); // a window that opens ends the full screen, not the presentation
  const page = URL.createObjectURL(new Blob([PAGE], { type: "text/html" }));
  const opened = globalThis.open(page, NAME, "popup,width=760,height=620");
  setTimeout(() => URL.revokeObjectURL(page), 10_000);
  if (opened) opened.focus();
  else globalThis.__memorybank_shell?.say(latest.words.blocked);
}

function tell(data, look) {
  const colours = ["background", "text", "primary"].map((name) => look.getPropertyValue(`--st-${name}-color`));
  latest = { ...data, colours };
  globalThis.__memorybank_shell?.plays(data.story.playing);
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
    globalThis.__memorybank_shell?.plays(false);
    channel.postMessage({ ...latest, story: null });
  };
}
