// Which moment is shown, and how it moves on: the slider, the buttons, play. What a stage did becomes true where it ends,
// so play goes from end to end, and stays longer where there is more to see.
const SPEEDS = [0.5, 1, 2, 4];
const PACE = 1300; // milliseconds that a stage stays, at speed 1
const STAY = { quiet: 0.5, conflict: 2.2, verdict: 2.2, merge: 2.2, answer: 2.2 };
const RANK = ["quiet", "plain", "new", "task", "failure", "merge", "verdict", "conflict", "answer"];
const MARKED = ["conflict", "verdict", "merge", "answer", "failure"];

const player = { at: run.at, speed: 1, timer: 0, watchers: [] };

function onMoment(act) {
  player.watchers.push(act);
}

function goTo(k) {
  player.at = Math.max(run.first, Math.min(run.last, k));
  for (const act of player.watchers) act(player.at);
}

// The lines of the feed: those that belong to moment k are what its stage has done by then.
const lines = run.feed.map(([seq, tone, round, stage, words, node]) => ({ seq, tone, round, stage, words, node }));

function linesAt(k) {
  const since = before(run.stops, k);
  return lines.filter((line) => line.seq > since && line.seq <= k);
}

// What matters most of them; the last of its kind.
function headline(k) {
  const found = linesAt(k).reduce((best, line) => (!best || RANK.indexOf(line.tone) >= RANK.indexOf(best.tone) ? line : best), null);
  return found ?? lines.findLast((line) => line.seq <= k) ?? null;
}

function after(places, k) {
  return places.find((place) => place > k) ?? run.last;
}

function before(places, k) {
  return places.findLast((place) => place < k) ?? run.first;
}

function isPlaying() {
  return player.timer !== 0;
}

function play() {
  if (player.at >= run.last) goTo(run.first);
  beat();
  for (const act of player.watchers) act(player.at);
}

function beat() {
  const wait = (PACE * (STAY[headline(player.at)?.tone] ?? 1)) / player.speed;
  player.timer = setTimeout(() => {
    goTo(after(run.stops, player.at));
    if (player.at >= run.last) pause();
    else if (isPlaying()) beat();
  }, wait);
}

function pause() {
  clearTimeout(player.timer);
  player.timer = 0;
  for (const act of player.watchers) act(player.at);
}

const ICONS = {
  first: "M4 3v10M12.5 3.5 6.5 8l6 4.5z",
  back: "M10.5 3.5 5 8l5.5 4.5",
  play: "M5 3l8 5-8 5z",
  pause: "M5 3v10M11 3v10",
  on: "M5.5 3.5 11 8l-5.5 4.5",
  last: "M12 3v10M3.5 3.5 9.5 8l-6 4.5z",
};

function drawPlayer() {
  const playing = button("play", say("play"), icon(ICONS.play), () => (isPlaying() ? pause() : play()));
  const buttons = make(
    "div",
    "buttons",
    button("", say("first"), icon(ICONS.first), () => goTo(run.first)),
    button("", say("back"), icon(ICONS.back), () => goTo(player.at - 1)),
    playing,
    button("", say("on"), icon(ICONS.on), () => goTo(player.at + 1)),
    button("", say("last"), icon(ICONS.last), () => goTo(run.last)),
  );
  const speed = make("select");
  speed.setAttribute("aria-label", say("speed"));
  speed.title = say("speed");
  for (const one of SPEEDS) speed.append(new Option(say("speed_of", { speed: one }), one));
  speed.onchange = () => { player.speed = Number(speed.value); };

  const slider = make("input");
  slider.type = "range";
  slider.min = run.first;
  slider.max = run.last;
  slider.setAttribute("aria-label", say("slider"));
  slider.oninput = () => { if (isPlaying()) pause(); goTo(Number(slider.value)); };
  const count = make("output", "count");

  onMoment((k) => {
    slider.value = k;
    count.textContent = say("at", { k, last: run.last });
    slider.setAttribute("aria-valuetext", count.textContent);
    speed.value = player.speed;
    const words = say(isPlaying() ? "pause" : "play");
    playing.replaceChildren(icon(isPlaying() ? ICONS.pause : ICONS.play));
    playing.title = words;
    playing.setAttribute("aria-label", words);
  });
  return make("div", "player", buttons, make("div", "line", marks(), slider), make("div", "buttons", count, speed));
}

// What happened where, above the slider: conflicts, verdicts, merges, answers in their colours.
function marks() {
  const drawing = document.createElementNS(SVG_NAMES, "svg");
  drawing.setAttribute("class", "marks");
  drawing.setAttribute("viewBox", `${run.first} 0 ${Math.max(run.last - run.first, 1)} 1`);
  drawing.setAttribute("preserveAspectRatio", "none");
  drawing.setAttribute("aria-hidden", "true");
  for (const { seq, tone } of lines.filter((line) => MARKED.includes(line.tone))) {
    const mark = document.createElementNS(SVG_NAMES, "line");
    for (const end of ["x1", "x2"]) mark.setAttribute(end, seq);
    mark.setAttribute("y1", 0);
    mark.setAttribute("y2", 1);
    mark.setAttribute("class", tone);
    drawing.append(mark);
  }
  return drawing;
}
