// The time that a scene has: a line that fills, and a word when it is full. A pause keeps what was left. What is drawn
// anew with the same turn goes on; the sentence is said to a screen reader once.
const clock = (globalThis.__memorybank_clock ??= { turn: null, left: 0, whole: 1, since: 0, timer: 0 });

function stop() {
  clearTimeout(clock.timer);
  if (clock.since) clock.left -= performance.now() - clock.since;
  clock.since = 0;
}

export default function ({ data, parentElement, setStateValue }) {
  const line = parentElement.querySelector("i");
  const status = parentElement.querySelector("p");
  const whole = data.seconds * 1000;
  stop();
  if (clock.turn !== data.turn) Object.assign(clock, { turn: data.turn, left: whole, whole });
  else if (clock.whole !== whole) Object.assign(clock, { left: (clock.left * whole) / clock.whole, whole });
  if (status.textContent !== data.sentence) status.textContent = data.sentence;
  line.getAnimations().forEach((animation) => animation.cancel());
  const done = 1 - Math.max(0, clock.left) / whole;
  line.style.transform = `scaleX(${done})`;
  if (data.playing) {
    clock.since = performance.now();
    clock.timer = setTimeout(() => setStateValue("over", { turn: data.turn }), Math.max(0, clock.left));
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) {
      line.animate([{ transform: `scaleX(${done})` }, { transform: "scaleX(1)" }], { duration: Math.max(1, clock.left), fill: "forwards" });
    }
  }
  return stop;
}
