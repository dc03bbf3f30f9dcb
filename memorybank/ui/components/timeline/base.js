// Keeps the track of the tab's run (transfer.py) where the slider finds it.
export default function ({ data }) {
  globalThis.__memorybank_track = data.told[0];
  globalThis.dispatchEvent(new Event("memorybank-track"));
}
