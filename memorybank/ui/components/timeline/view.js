// The slider over all events. The place is the browser's own while it is dragged or played; Python's word counts as soon
// as it has heard the last thing that was said. All text arrives as data and becomes text.
const PAUSE = 80; // milliseconds between two words while dragging
const PATIENCE = 1500; // milliseconds after which a word that was not answered is no longer waited for
const PERIOD = { event: 200, stage: 1000 }; // milliseconds of a step at speed 1
const SPEEDS = [0.5, 1, 2, 5];
const INSET = 8; // half of the slider's knob: where the track begins and ends
const NEAR = 11; // pixels within which marks of one kind are drawn as one
const LANES = { conflict: 0, verdict: 1, merge: 2, task: 2, branch: 2, answer: 2 };
const ICONS = {
  stage_back: "M3 3v10M13 3 6 8l7 5z",
  back: "M11 3 5 8l6 5z",
  play: "M4 2.5 13 8l-9 5.5z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  forward: "M5 3l6 5-6 5z",
  stage_forward: "M13 3v10M3 3l7 5-7 5z",
};

const sliders = new WeakMap();
const habits = (globalThis.__memorybank_timeline_habits ??= { speed: 1, unit: "scene" });

function element(name, className, ...children) {
  const made = document.createElement(name);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

function fill(sentence, values) {
  return sentence.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

// -- the track ------------------------------------------------------------------------------------------------------

function unfold(part) {
  const found = { stages: [], borders: [], rounds: [], marks: [] };
  let at = part.since;
  for (let i = 0; i < part.stages.length; i += 3) {
    at += part.stages[i];
    found.stages.push({ first: at, stage: part.stages[i + 1], round: part.stages[i + 2] });
  }
  for (const name of ["borders", "rounds"]) {
    at = part.since;
    for (const gap of part[name]) found[name].push((at += gap));
  }
  at = part.since;
  for (const [gap, kind, words] of part.marks) found.marks.push({ seq: (at += gap), kind, words });
  return found;
}

// The track of the run that the tab looks at (transfer.py): its words come first, then its parts.
const tracks = channelOf("timeline", () => ({ words: null, kinds: [], stages: [], borders: [], rounds: [], marks: [] }), (track, parts) => {
  for (const part of parts) {
    if (part.words) Object.assign(track, part);
    else for (const [name, found] of Object.entries(unfold(part))) track[name].push(...found);
  }
});

function lastBefore(items, limit) {
  let found = -1;
  for (let low = 0, high = items.length - 1; low <= high; ) {
    const middle = (low + high) >> 1;
    if (items[middle] <= limit) [found, low] = [middle, middle + 1];
    else high = middle - 1;
  }
  return found;
}

// Marks of one kind that would lie on each other become one, with the words of all.
function clustered(marks, kinds, n, width) {
  const last = new Map();
  const found = [];
  for (const mark of marks) {
    const x = (mark.seq / Math.max(1, n)) * width;
    const before = last.get(mark.kind);
    if (before && x - before.x < NEAR) {
      before.words.push(mark.words);
      before.count += 1;
      continue;
    }
    const made = { kind: kinds[mark.kind], seq: mark.seq, x, words: [mark.words], count: 1 };
    last.set(mark.kind, made);
    found.push(made);
  }
  return found;
}

function drawTrack(slider) {
  const { data, track, box } = slider;
  const width = box.clientWidth - 2 * INSET;
  if (!track || width <= 0) return;
  const key = `${tracks.epoch}|${width}|${data.n}|${track.marks.length}|${track.borders.length}|${track.words.label}`;
  if (slider.drawn !== key) {
    slider.drawn = key;
    box.replaceChildren(...borders(track, data.n, width), ...marks(slider, width));
  }
  for (const one of slider.box.children) one.classList.toggle("ahead", Number(one.dataset.seq) > place(slider));
  for (const old of box.querySelectorAll(".ab")) old.remove();
  const apart = data.ab && Math.abs(data.ab[0] - data.ab[1]) / Math.max(1, data.n) * width < 18 ? 9 : 0;
  for (const round of box.querySelectorAll(".round b")) {
    const seq = Number(round.parentElement.dataset.seq);
    const isNear = (data.ab ?? []).some((flag) => Math.abs(((flag - seq) / Math.max(1, data.n)) * width - 12) < 24);
    round.style.visibility = isNear ? "hidden" : "";
  }
  (data.ab ?? []).forEach((seq, index) => {
    const flag = at(element("span", "ab", "AB"[index]), seq, data.n);
    flag.style.translate = `${index ? apart : -apart}px 0`;
    box.append(flag);
  });
}

function at(one, seq, n) {
  one.dataset.seq = seq;
  one.style.left = `calc(${INSET}px + (100% - ${2 * INSET}px) * ${seq / Math.max(1, n)})`;
  return one;
}

function borders(track, n, width) {
  const lines = track.borders.map((seq) => at(element("i", "border"), seq, n));
  let free = -Infinity;
  for (const [index, seq] of track.rounds.entries()) {
    const line = at(element("i", "round"), seq, n);
    const x = (seq / Math.max(1, n)) * width;
    if (x >= free && x < width - 30) {
      const span = track.stages[lastBefore(track.stages.map((one) => one.first), seq)];
      line.append(element("b", "", fill(track.words.round_mark, { round: span?.round ?? index + 1 })));
      free = x + 34;
    }
    lines.push(line);
  }
  return lines;
}

function marks(slider, width) {
  const { track, data } = slider;
  return clustered(track.marks, track.kinds, data.n, width).map(({ kind, seq, words, count }) => {
    const mark = at(element("span", `mark ${kind} lane${LANES[kind]}`), seq, data.n);
    const name = track.words.marks[track.kinds.indexOf(kind)];
    mark.title = [...words.slice(0, 6).map((line) => line || name), ...(count > 6 ? [`+ ${count - 6}`] : [])].join("\n");
    mark.append(element("span", "shape"));
    if (count > 1) mark.append(element("b", "", String(count)));
    mark.onclick = () => moveTo(slider, seq);
    return mark;
  });
}

// -- the place ------------------------------------------------------------------------------------------------------

function place(slider) {
  return slider.k ?? slider.data.n;
}

function where(slider) {
  const { data, track, words } = slider;
  const k = place(slider);
  const values = { k, n: data.n };
  let span = data.stage;
  if (track) {
    const found = track.stages[lastBefore(track.stages.map((one) => one.first), k)];
    span = found && k ? [words.stages[found.stage], found.round] : null;
  } else if (slider.data.k !== slider.k) span = null; // Python has not said yet which stage that is
  if (!span) return fill(words.where, values);
  return fill(span[1] ? words.where_round : words.where_stage, { ...values, stage: span[0], round: span[1] });
}

function render(slider) {
  const { data, words, range, parts } = slider;
  const k = place(slider);
  range.max = data.n;
  range.value = k;
  range.setAttribute("aria-label", words.label);
  range.setAttribute("aria-valuetext", where(slider));
  const share = data.n ? (k / data.n) * 100 : 0;
  range.style.setProperty("--share", `${share}%`);
  parts.where.textContent = where(slider);
  const follows = slider.k === null;
  parts.now.textContent = follows ? words.at_now : words.now;
  parts.now.title = words.now_help;
  parts.now.disabled = follows;
  parts.now.classList.toggle("live", follows && data.live);
  for (const name of ["back", "stage_back"]) parts[name].disabled = k <= 0;
  for (const name of ["forward", "stage_forward"]) parts[name].disabled = k >= data.n;
  if (parts.play) {
    const name = slider.timer ? "pause" : "play";
    parts.play.querySelector("path").setAttribute("d", ICONS[name]);
    label(parts.play, words[name]);
    parts.speed.hidden = habits.unit === "scene";
    for (const one of parts.speeds) one.setAttribute("aria-pressed", String(Number(one.value) === habits.speed));
    for (const one of parts.units) one.setAttribute("aria-pressed", String(one.value === habits.unit));
  }
  drawTrack(slider);
}

function label(button, words) {
  button.title = words;
  button.setAttribute("aria-label", words);
}

// At the newest event one follows what comes.
function moveTo(slider, k) {
  const n = slider.data.n;
  slider.k = k === null || k >= n ? null : Math.max(0, k);
  slider.isUntold = true;
  render(slider);
  tell(slider);
}

function tell(slider, isFinal = false) {
  clearTimeout(slider.later);
  if (!slider.isUntold) return;
  const now = Date.now();
  const isWaiting = slider.said > slider.data.heard && now - slider.saidAt < PATIENCE;
  const wait = isFinal ? 0 : Math.max(isWaiting ? PAUSE : 0, slider.saidAt + PAUSE - now);
  if (wait > 0) {
    slider.later = setTimeout(() => tell(slider), wait);
    return;
  }
  slider.isUntold = false;
  slider.saidAt = now;
  slider.said = Math.max(slider.said + 1, now);
  slider.emit({ turn: slider.said, k: slider.k });
}

function step(slider, direction, unit) {
  const k = place(slider);
  if (unit === "event" || !slider.track) return moveTo(slider, k + direction);
  const stops = slider.track.borders;
  const index = lastBefore(stops, direction > 0 ? k : k - 1);
  if (direction > 0) return moveTo(slider, stops[index + 1] ?? slider.data.n);
  return moveTo(slider, index >= 0 ? stops[index] : 0);
}

// -- playing --------------------------------------------------------------------------------------------------------

// By scenes, the story goes on from here, at its own pace (ui/story).
function play(slider) {
  if (slider.timer) return stop(slider);
  if (habits.unit === "scene") {
    slider.said = Math.max(slider.said + 1, Date.now());
    return slider.emit({ turn: slider.said, k: slider.k, story: true });
  }
  if (place(slider) >= slider.data.n) moveTo(slider, 0);
  run(slider);
  render(slider);
}

function run(slider) {
  clearInterval(slider.timer);
  const period = PERIOD[habits.unit] / habits.speed;
  let last = performance.now();
  slider.timer = setInterval(() => {
    const now = performance.now();
    const steps = Math.floor((now - last) / period + 0.5);
    if (steps < 1) return;
    last = now;
    // A place that the page could not follow is passed over, a stage never is.
    if (habits.unit === "stage") step(slider, 1, "stage");
    else moveTo(slider, place(slider) + steps);
    if (place(slider) >= slider.data.n) stop(slider);
  }, Math.max(period, PAUSE));
}

function stop(slider) {
  clearInterval(slider.timer);
  slider.timer = null;
  render(slider);
  tell(slider, true);
}

// -- life -----------------------------------------------------------------------------------------------------------

function tool(slider, name, act) {
  const icon = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  icon.setAttribute("viewBox", "0 0 16 16");
  icon.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", ICONS[name]);
  icon.append(path);
  const button = element("button", `tool ${name}`, icon);
  button.type = "button";
  button.onclick = act;
  slider.parts[name] = button;
  return button;
}

function choice(slider, values, write, current) {
  return values.map((value) => {
    const button = element("button", "choice", write(value));
    button.type = "button";
    button.value = value;
    button.onclick = () => {
      habits[current] = value;
      if (slider.timer && habits.unit === "scene") stop(slider);
      else if (slider.timer) run(slider);
      render(slider);
    };
    return button;
  });
}

function create(root, frame, data) {
  if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
  const range = element("input", "range");
  Object.assign(range, { type: "range", min: 0, step: 1 });
  const slider = {
    frame, range, box: element("div", "track"), parts: {}, data, track: null, words: {}, k: data.k, drawn: "",
    said: data.heard, saidAt: 0, isUntold: false, isHeld: false, timer: null, later: null, asking: {}, emit: () => {},
  };
  slider.box.setAttribute("aria-hidden", "true"); // the same marks stand in the feed, in words
  slider.parts.where = element("span", "where");
  slider.parts.now = element("button", "now");
  slider.parts.now.type = "button";
  slider.parts.now.onclick = () => { stop(slider); moveTo(slider, null); };
  const go = (direction, unit) => () => { stop(slider); step(slider, direction, unit); };
  const tools = [
    tool(slider, "stage_back", go(-1, "stage")),
    tool(slider, "back", go(-1, "event")),
    ...(data.compact ? [] : [tool(slider, "play", () => play(slider))]),
    tool(slider, "forward", go(1, "event")),
    tool(slider, "stage_forward", go(1, "stage")),
  ];
  if (data.compact) {
    for (const name of ["stage_back", "stage_forward"]) slider.parts[name].hidden = true;
    frame.replaceChildren(element("div", "line", tools[0], tools[1], range, ...tools.slice(2), slider.parts.where, slider.parts.now));
  } else {
    slider.parts.speeds = choice(slider, SPEEDS, (speed) => `${speed}×`, "speed");
    slider.parts.units = choice(slider, ["scene", "event", "stage"], () => "", "unit");
    slider.parts.speed = element("div", "group", ...slider.parts.speeds);
    slider.parts.unit = element("div", "group", ...slider.parts.units);
    for (const name of ["speed", "unit"]) slider.parts[name].setAttribute("role", "group");
    slider.parts.legend = element("ul", "legend");
    frame.replaceChildren(
      slider.box,
      range,
      element("div", "bar", element("div", "tools", ...tools), slider.parts.where, slider.parts.now, slider.parts.speed, slider.parts.unit),
      slider.parts.legend,
    );
    slider.sizes = new ResizeObserver(() => drawTrack(slider));
    slider.sizes.observe(slider.box);
  }
  listen(slider);
  return slider;
}

function listen(slider) {
  const { range, frame } = slider;
  range.oninput = () => {
    if (slider.timer) stop(slider);
    slider.isHeld = true;
    moveTo(slider, Number(range.value));
  };
  range.onchange = () => {
    slider.isHeld = false;
    tell(slider, true);
  };
  frame.onkeydown = (event) => {
    const byStage = event.shiftKey || event.key.startsWith("Page");
    const direction = { ArrowLeft: -1, ArrowRight: 1, PageDown: -1, PageUp: 1 }[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (direction) {
      stop(slider);
      step(slider, direction, byStage && slider.track ? "stage" : "event");
    } else if (event.key === " " && event.target === range && slider.parts.play) play(slider);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
}

function say(slider) {
  const { words, parts, track } = slider;
  slider.frame.setAttribute("role", "group");
  slider.frame.setAttribute("aria-label", words.label);
  for (const name of ["back", "forward", "stage_back", "stage_forward"]) label(parts[name], words[name]);
  if (!track) return;
  slider.range.title = words.keys;
  parts.speed.setAttribute("aria-label", words.speed);
  parts.unit.setAttribute("aria-label", words.unit);
  for (const one of parts.units) one.textContent = words[`unit_${one.value}`];
  const shown = new Set(track.marks.map((mark) => mark.kind));
  parts.legend.replaceChildren(
    ...track.kinds.flatMap((kind, index) => {
      if (!shown.has(index)) return [];
      return [element("li", "", element("span", `mark ${kind}`, element("span", "shape")), words.marks[index])];
    }),
  );
}

function mount(component) {
  const { parentElement, setStateValue } = component;
  const [data] = component.data.wrapped;
  const frame = parentElement.querySelector(".timeline");
  frame.classList.toggle("compact", data.compact);
  if (!sliders.has(frame)) sliders.set(frame, create(parentElement, frame, data));
  const slider = sliders.get(frame);
  const show = () => {
    slider.data = data;
    tracks.takeBulks();
    if (data.track) {
      tracks.take(data.track);
      tracks.ask(component, data.track, slider.asking);
    }
    slider.track = data.track?.epoch === tracks.epoch ? tracks.value : null;
    slider.words = slider.track?.words ?? data.words;
    if (!slider.words) return; // the track is on its way
    slider.emit = (said) => setStateValue("said", said);
    // What was said and not heard yet counts more than what Python drew meanwhile.
    const isHeard = data.heard >= slider.said && !slider.isUntold && !slider.isHeld;
    if (isHeard && slider.k !== data.k) {
      if (slider.timer) { clearInterval(slider.timer); slider.timer = null; }
      slider.k = data.k;
    }
    say(slider);
    render(slider);
    tell(slider);
  };
  slider.show = show;
  globalThis.removeEventListener("memorybank-bulk", slider.onBulk);
  slider.onBulk = () => slider.show();
  globalThis.addEventListener("memorybank-bulk", slider.onBulk);
  show();
  return () => {
    clearInterval(slider.timer);
    clearTimeout(slider.later);
    clearTimeout(slider.asking.timer);
    slider.sizes?.disconnect();
    globalThis.removeEventListener("memorybank-bulk", slider.onBulk);
    sliders.delete(frame);
  };
}
