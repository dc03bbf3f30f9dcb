// Keeps the base of each graph (transfer.py) where the graph component finds it, also after a page switch.
export default function ({ data }) {
  const bases = (globalThis.__memorybank_bases ??= new Map());
  bases.set(data.key, data);
  globalThis.dispatchEvent(new Event("memorybank-base"));
}
