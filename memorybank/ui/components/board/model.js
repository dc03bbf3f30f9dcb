// What stands where, as Python has said it last, with the moves on top that it has not answered yet.
const model = {
  // Where a card stands: its lane, its group (cards of one outline) and its place in it.
  find(lanes, key) {
    for (const [number, lane] of lanes.entries()) {
      for (const group of lane.groups) {
        const place = group.cards.findIndex((card) => card.key === key);
        if (place >= 0) return { number, lane, group, place, card: group.cards[place] };
      }
    }
    return null;
  },

  // The card behind it in its group: what it stands before.
  before: (spot) => spot.group.cards[spot.place + 1]?.key ?? null,

  // A card stays in its outline, whichever lane it goes to.
  place(lanes, { plan, lane: name, before }) {
    const spot = model.find(lanes, plan);
    const lane = lanes.find((each) => each.name === name);
    if (!spot || !lane) return;
    spot.group.cards.splice(spot.place, 1);
    let group = lane.groups.find((each) => each.key === spot.group.key);
    if (!group) {
      group = { ...spot.group, cards: [] };
      lane.groups = [...lane.groups, group].sort((one, other) => one.order - other.order);
    }
    const at = group.cards.findIndex((card) => card.key === before);
    group.cards.splice(at < 0 ? group.cards.length : at, 0, spot.card);
    if (!spot.group.cards.length) spot.lane.groups = spot.lane.groups.filter((each) => each !== spot.group);
  },

  apply(lanes, act) {
    if (act.act === "place") model.place(lanes, act);
    else if (act.act === "status") {
      const spot = model.find(lanes, act.plan);
      if (spot) spot.card.status = act.status;
    }
  },
};
