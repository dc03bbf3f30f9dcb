// Logs that grow on the server and are kept here for the life of the page (channel.py). `empty` makes what no entries come
// to, `add` changes it by some that are new.
function channelOf(name, empty, add) {
  const channels = (globalThis.__memorybank_channels ??= new Map());
  if (!channels.has(name)) channels.set(name, makeChannel(name, empty, add));
  return channels.get(name);
}

function makeChannel(name, empty, add) {
  const channel = {
    epoch: "",
    have: 0,
    value: empty(),
    isWhole: ({ epoch, total }) => channel.epoch === epoch && channel.have >= total,
    // Entries that were repeated are passed over; a message that begins too late is left. The new ones are returned.
    take({ epoch, from, items }) {
      if (from > (channel.epoch === epoch ? channel.have : 0)) return [];
      if (channel.epoch !== epoch) Object.assign(channel, { epoch, have: 0, value: empty() });
      const fresh = items.slice(channel.have - from);
      add(channel.value, fresh);
      channel.have += fresh.length;
      return fresh;
    },
    takeBulks() {
      const bulks = (globalThis.__memorybank_bulks ??= []);
      for (const bulk of bulks.filter((each) => each.channel === name)) {
        bulks.splice(bulks.indexOf(bulk), 1);
        channel.take(bulk);
      }
    },
    // Asks for what a message counts and has not come, until it has. `place` is the component's own and lives as long;
    // `patience` (ms) waits for a bulk that may be on its way, anew while the page is drawn; 0 where none can be. What a
    // part says by itself must not win over a page that was just asked for (pages.js): it waits, and is not said of a
    // part that is gone.
    ask(component, message, place, patience = 700) {
      clearTimeout(place.timer);
      if (channel.isWhole(message)) {
        place.asks = 0;
        return;
      }
      place.asks ??= 0;
      // An answer that brought some, but not all, is followed up at once.
      const wait = place.asks && message.items.length ? 0 : patience;
      const ask = () => {
        if (channel.isWhole(message) || !component.parentElement.isConnected) return;
        if (globalThis.__memorybank_shell?.isTurning() || (wait && isDrawing())) {
          place.timer = setTimeout(ask, Math.max(wait, 250));
          return;
        }
        place.asks += 1;
        component.setStateValue("asked", { epoch: channel.epoch, have: channel.have, at: Date.now() });
        place.timer = setTimeout(ask, 700 * 2 ** Math.min(place.asks, 6));
      };
      place.timer = setTimeout(ask, wait);
    },
  };
  return channel;
}
