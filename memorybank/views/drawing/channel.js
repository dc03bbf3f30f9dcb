// Logs that grow on the server (`Channel` in ui/components/graph/component.py) and are kept here for the life of the page.
// `empty` makes what no entries come to, `add` changes it by some that are new.
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
    // Asks for what a message counts and has not come, until it has. `place` is the component's own and lives as long. What
    // a part says by itself must not win over a page that was just asked for (pages.js): it waits, and is not said of a
    // part that is gone.
    ask(component, message, place) {
      clearTimeout(place.timer);
      place.asks = channel.isWhole(message) ? 0 : (place.asks ?? 0);
      const ask = () => {
        if (channel.isWhole(message) || !component.parentElement.isConnected) return;
        const mayAsk = !globalThis.__memorybank_shell?.isTurning();
        if (mayAsk) component.setStateValue("asked", { epoch: channel.epoch, have: channel.have, at: Date.now() });
        place.asks += mayAsk;
        place.timer = setTimeout(ask, mayAsk ? 700 * 2 ** Math.min(place.asks, 6) : 250);
      };
      if (!channel.isWhole(message)) place.timer = setTimeout(ask, 0);
    },
  };
  return channel;
}
