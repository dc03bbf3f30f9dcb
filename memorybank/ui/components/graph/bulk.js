// Brings many items at once (transfer.py); mount.js takes them when it is there.
export default function ({ data }) {
  (globalThis.__memorybank_bulks ??= []).push(data);
  globalThis.dispatchEvent(new Event("memorybank-bulk"));
}
