// What has the focus on a page, and whether it is seen: it is remembered until it is asked for again.
async () => {
  await new Promise(requestAnimationFrame);
  const moves = document.getAnimations().filter(({ effect }) => effect.getTiming().iterations !== Infinity);
  await Promise.allSettled(moves.map(({ finished }) => finished)); // a paint on its way says nothing yet
  const up = (one) => one.parentElement ?? one.getRootNode().host;
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  const chain = [];
  for (let one = at; one && one !== document.body; one = up(one)) chain.push(one);
  const paint = (one) => {
    const { outlineStyle, outline, boxShadow, backgroundColor, borderColor } = getComputedStyle(one);
    return [outlineStyle === "none" ? "" : outline, boxShadow, backgroundColor, borderColor].join();
  };
  const last = window.lastFocus;
  const wasSeen = !last || last.near.some(({ one, painted }) => !one.isConnected || paint(one) !== painted);
  const moved = !last || last.at !== at;
  window.lastFocus = chain.length ? { at, near: chain.slice(0, 6).map((one) => ({ one, painted: paint(one) })) } : null;
  if (!chain.length) return { name: "", keys: [], wasSeen, moved, isInSight: true };
  const { left, right, top, bottom } = at.getBoundingClientRect();
  const middle = (low, high, size) => (Math.max(low, 1) + Math.min(high, size - 1)) / 2;
  const point = [middle(left, right, innerWidth), middle(top, bottom, innerHeight)];
  let hit = document.elementFromPoint(...point);
  while (hit?.shadowRoot?.elementFromPoint(...point) && hit.shadowRoot.elementFromPoint(...point) !== hit) {
    hit = hit.shadowRoot.elementFromPoint(...point);
  }
  const isHit = (one) => one.contains(hit) || one.shadowRoot?.contains(hit);
  const own = (one) => [...one.classList].filter((name) => name.startsWith("st-key-")).map((name) => name.slice(7));
  const label = at.getAttribute("aria-label") || at.innerText || at.title || "";
  return {
    name: label.replace(/\s+/g, " ").trim(),
    keys: chain.flatMap(own),
    what: at.tagName.toLowerCase() + (at.getAttribute("role") ?? ""),
    wasSeen,
    moved,
    over: hit?.className,
    isInSight: bottom > 0 && top < innerHeight && chain.slice(0, 4).some(isHit),
  };
}
