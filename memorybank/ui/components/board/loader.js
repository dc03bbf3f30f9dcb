// Everything that does not change: the looks and the code of the board. It runs once a page; the board's own code is
// sent again with each change and is therefore tiny.
(function () {
  if (globalThis.__memorybank_board) return;

  const sheet = new CSSStyleSheet();
  sheet.replaceSync(/* CSS */);

/* CODE */

  globalThis.__memorybank_board = { mount };
  globalThis.dispatchEvent(new Event("memorybank-board"));
})();

export default function () {}
