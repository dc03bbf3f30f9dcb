// The run as data: texts and boxes by number, and of each part the value that holds after k events (tracks.py).
const run = JSON.parse(document.getElementById("run").textContent);

// The last value at or before k; null when there is none. A track is [at, value, at, value, …].
function valueAt(track, k) {
  let low = 0;
  let high = track.length / 2;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (track[2 * middle] <= k) low = middle + 1;
    else high = middle;
  }
  return low ? track[2 * low - 1] : null;
}

// All names that have a value after k events, in their order.
function valuesAt(tracks, k) {
  const found = new Map();
  for (const [name, track] of Object.entries(tracks)) {
    const value = valueAt(track, k);
    if (value !== null) found.set(name, value);
  }
  return found;
}

// A number of the pool as what rich draws: a text, or [tag, look, inside, extra].
function piece(number) {
  const item = run.pool[number];
  return typeof item === "string" ? item : [item[0], item[1], item[2].map(piece), ...item.slice(3)];
}

function say(key, values = {}) {
  const sentence = run.words[values.count === 1 && run.words[`${key}.one`] ? `${key}.one` : key];
  return sentence.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}
