// The mounted component. What it needs comes once a page with the loader; this is sent again with each change.
export default function (component) {
  const start = () => globalThis.__memorybank_rich.draw(component);
  if (globalThis.__memorybank_rich) start();
  else globalThis.addEventListener("memorybank-rich", start, { once: true });
  return () => globalThis.removeEventListener("memorybank-rich", start);
}
