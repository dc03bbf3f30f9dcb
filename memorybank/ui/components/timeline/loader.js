// Everything that does not change: the looks and the code of the slider. It runs once a page; the slider's own code is
// sent again with each change and is therefore tiny.
(function () {
  if (globalThis.__memorybank_timeline) return;

  const sheet = new CSSStyleSheet();
  sheet.replaceSync(/* CSS */);

/* CODE */

  globalThis.__memorybank_timeline = { mount };
  globalThis.dispatchEvent(new Event("memorybank-timeline"));
})();

export default function () {}
