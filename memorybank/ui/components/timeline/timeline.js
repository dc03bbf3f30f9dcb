// The mounted slider: hands each run of the page to `mount` (view.js) as soon as the loader has brought it.
export default function (component) {
  let unmount = () => {};
  const start = () => {
    unmount = globalThis.__memorybank_timeline.mount(component);
  };
  if (globalThis.__memorybank_timeline) start();
  else globalThis.addEventListener("memorybank-timeline", start, { once: true });
  return () => {
    globalThis.removeEventListener("memorybank-timeline", start);
    unmount();
  };
}
