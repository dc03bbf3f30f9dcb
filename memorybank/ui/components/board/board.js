// The mounted board: hands each run of the page to `mount` (view.js) as soon as the loader has brought it.
export default function (component) {
  const start = () => globalThis.__memorybank_board.mount(component);
  if (globalThis.__memorybank_board) start();
  else globalThis.addEventListener("memorybank-board", start, { once: true });
  return () => globalThis.removeEventListener("memorybank-board", start);
}
