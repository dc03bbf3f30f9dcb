// Keeps the track of the tab's run (transfer.py) where the slider finds it.
export default function ({ data }) {
  globalThis.__memorybank_track = data;
  globalThis.dispatchEvent(new Event("memorybank-track"));
}
