// Elements of the page. What comes from the run enters as text, by append or textContent, never as markup.
const SVG_NAMES = "http://www.w3.org/2000/svg";

function make(name, look = "", ...children) {
  const element = document.createElement(name);
  if (look) element.className = look;
  element.append(...children);
  return element;
}

function icon(path) {
  const picture = document.createElementNS(SVG_NAMES, "svg");
  picture.setAttribute("viewBox", "0 0 16 16");
  picture.setAttribute("aria-hidden", "true");
  const line = document.createElementNS(SVG_NAMES, "path");
  line.setAttribute("d", path);
  picture.append(line);
  return picture;
}

function button(look, words, inside, act) {
  const made = make("button", look, inside ?? words);
  made.type = "button";
  made.title = words;
  if (inside) made.setAttribute("aria-label", words);
  made.onclick = act;
  return made;
}

// A place for boxes: the app's own drawing code in a shadow tree of its own. The same numbers are not drawn again.
function place(look = "") {
  const host = make("div", look);
  const shadow = host.attachShadow({ mode: "open" });
  shadow.append(make("div", "rich"));
  let shown = null;
  host.show = (numbers) => {
    const key = numbers.join();
    if (key === shown) return host;
    shown = key;
    return host.showBoxes(numbers.map(piece));
  };
  host.showBoxes = (boxes) => {
    globalThis.__memorybank_rich.draw({
      data: { boxes },
      parentElement: shadow,
      setStateValue: (_, { what }) => follow(what),
    });
    return host;
  };
  return host;
}

// What is to be seen of a file that is kept beside a text: a picture, or that there was no room for it.
function picture(id) {
  if (!Object.hasOwn(run.images, id)) return "";
  if (!run.pictures[id]) return make("p", "note", say("picture_left_out"));
  const image = make("img");
  image.alt = run.images[id];
  image.src = run.pictures[id];
  return make("figure", "picture", image);
}
