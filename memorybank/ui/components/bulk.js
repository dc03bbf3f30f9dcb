// Brings many entries of a channel at once (channel.py); whoever keeps that channel takes them when it is there.
export default function ({ data }) {
  (globalThis.__memorybank_bulks ??= []).push(JSON.parse(new TextDecoder().decode(data)));
  globalThis.dispatchEvent(new Event("memorybank-bulk"));
}
