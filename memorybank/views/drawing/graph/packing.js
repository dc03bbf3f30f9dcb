// Reads what packing.py has packed: a table of all that was ever drawn, and pictures that refer to it by number.
const NODE = 0;
const EDGE = 1;
const VALUE = 2;

function numbersOf(text) {
  const numbers = [];
  let number = 0;
  let shift = 1;
  for (const char of atob(text)) {
    const byte = char.charCodeAt(0);
    number += (byte & 127) * shift;
    shift *= 128;
    if (byte & 128) continue;
    numbers.push(number);
    number = 0;
    shift = 1;
  }
  return numbers;
}

// (number of the item, number of its look) of all that is shown.
function* shownIn(text) {
  const numbers = numbersOf(text);
  let at = 1 + 2 * numbers[0];
  const isInRuns = numbers[at] === 1;
  at += 1;
  let left = 0;
  let item = 0;
  for (let pair = 0; pair < numbers[0]; pair += 1) {
    item += numbers[1 + 2 * pair];
    for (let count = numbers[2 + 2 * pair]; count > 0; count -= 1) {
      if (isInRuns && left === 0) {
        left = numbers[at];
        at += 1;
      }
      yield [item, numbers[at]];
      item += 1;
      left -= 1;
      if (!isInRuns || left === 0) at += 1;
    }
  }
}

function makeTable() {
  const kinds = [[], [], []];
  // Item and look put together; the same pair gives the same object, so that what has not changed is seen at once.
  const drawn = new Map();

  function* drawnOf(kind, text) {
    for (const [item, look] of shownIn(text)) {
      const name = `${kind}|${item}|${look}`;
      if (!drawn.has(name)) {
        if (item >= kinds[kind].length || look >= kinds[VALUE].length) continue; // not told yet
        drawn.set(name, { ...kinds[kind][item], ...kinds[VALUE][look] });
      }
      yield drawn.get(name);
    }
  }

  return {
    take(items) {
      for (const [kind, content] of items) kinds[kind].push(content);
    },
    // A frame as `show` takes it; parts that have not been told yet are left out.
    picture(frame) {
      return {
        ...frame,
        nodes: [...drawnOf(NODE, frame.nodes)],
        edges: [...drawnOf(EDGE, frame.edges)],
        ...kinds[VALUE][frame.look],
        words: kinds[VALUE][frame.words],
        legend: frame.legend.map((number) => kinds[VALUE][number]).filter(Boolean),
        regions: (frame.regions ?? []).map((number) => kinds[VALUE][number]).filter(Boolean),
      };
    },
  };
}
