// The mounted component. Its code comes once a session with the loader; this is sent again with each change.
export default function (component) {
  const start = () => globalThis.__memorybank_shell.draw(component);
  if (globalThis.__memorybank_shell) start();
  else globalThis.addEventListener("memorybank-shell", start, { once: true });
  return () => globalThis.removeEventListener("memorybank-shell", start);
}
