// What became of hostile text on a page: whether it ran, elements, texts, links; shadow trees are looked into.
([owned, elsewhere]) => {
  const suspects = [
    `.${owned}`, `[src*="${elsewhere}"]`, `[href*="${elsewhere}"]`, '[href^="javascript:"]', "[srcdoc]", ".katex",
    ...["error", "load", "focus", "mouseover", "click"].map((name) => `[on${name}]`), "base",
    "body iframe", "body object",
  ].join(",");
  const found = { ran: window.__ran ?? null, elements: [], texts: [], links: [], invisible: [] };
  const hidden = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/;
  const take = (text, where) => {
    found.texts.push(text);
    if (!hidden.test(text)) return;
    found.invisible.push(`${where.outerHTML.slice(0, 120)} in ${where.closest("[class*=st-key]")?.className}`);
  };
  const walk = (root) => {
    for (const element of root.querySelectorAll(suspects)) found.elements.push(element.outerHTML.slice(0, 300));
    for (const element of root.querySelectorAll("h1,h2,h3,h4,h5,h6,em,strong,code,td,blockquote")) {
      if (element.textContent.trim() === owned) found.elements.push(element.outerHTML.slice(0, 300));
    }
    for (const link of root.querySelectorAll("a[href]")) found.links.push(link.href);
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) walk(element.shadowRoot);
      if (["SCRIPT", "STYLE"].includes(element.tagName)) continue;
      for (const attribute of ["title", "aria-label", "placeholder", "value"]) {
        if (element.getAttribute(attribute)) take(element.getAttribute(attribute), element);
      }
      for (const child of element.childNodes) {
        if (child.nodeType === Node.TEXT_NODE && child.data.trim()) take(child.data, element);
      }
    }
  };
  walk(document);
  return found;
}
