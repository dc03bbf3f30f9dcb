  // Streamlit's own words, in the app's language. They are looked for where they stand and nowhere else, and only whole:
  // what a reader wrote may say "Open" too. Our own parts live in shadow trees, which the watch does not enter.
  const streamlitWords = (function () {
    const OWN = [
      "SkipToContent", "TopNav", "TopNavPopover", "Sidebar", "ExpandSidebarButton", "StatusWidget", "ConnectionStatus",
      "Dialog", "ToastContainer", "Exception", "TooltipIcon", "TooltipContent", "TooltipErrorContent", "FileUploader",
      "Selectbox", "MultiSelect", "NumberInput", "Progress", "ElementToolbar", "ElementToolbarButton", "ChatInput",
    ];
    const PLACES = [
      ...OWN.map((name) => `[data-testid="st${name}"]`), "[data-testid=InputInstructions]", "[data-live-announcer]",
      "[role=listbox]", "button[aria-label=Dismiss]", "[data-has-shortcut] kbd",
    ].join(", ");
    // What stands there of the reader's, or of the app's own. An option that Streamlit adds has a name in its key.
    const CONTENT = [
      "[data-testid=stFileChipName]", "[data-tag] > :not(button)",
      "[role=listbox]:not([data-empty]) [role=option]:not([data-key^=__])",
      "[data-testid=stWidgetLabel] [data-testid=stMarkdownContainer]",
    ].flatMap((place) => [place, `${place} *`]).join(", ");
    const ATTRIBUTES = ["aria-label", "placeholder", "title"];
    const TABLES = /* WORDS */;
    const shown = new WeakMap(); // by text or element, by attribute: what Streamlit wrote, and what stands there instead
    let lang = "";
    let table = null;

    // A sentence into which something is put, as an expression that finds it.
    function pattern([theirs, ours]) {
      const names = [...theirs.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const fixed = theirs.split(/\{\w+\}/).map((part) => part.replace(/[.*+?^$()|[\]\\]/g, "\\$&"));
      const put = (name, words) => (name === "message" ? say(words) : words); // a sentence of Streamlit's own
      return {
        length: fixed.join("").length,
        form: new RegExp(`^${fixed.join("(.+)")}$`, "s"),
        fill: (found) => names.reduce((sentence, name, at) => sentence.replace(`{${name}}`, () => put(name, found[at + 1])), ours),
      };
    }

    function tableOf(pairs) {
      const patterns = pairs.filter(([theirs]) => theirs.includes("{")).map(pattern);
      return { whole: new Map(pairs), patterns: patterns.sort((one, other) => other.length - one.length) };
    }

    function find(words) {
      const known = table.whole.get(words);
      if (known !== undefined) return known;
      for (const { form, fill } of table.patterns) {
        const found = form.exec(words);
        if (found) return fill(found);
      }
      return undefined;
    }

    // Several sentences in one line are found one by one.
    const say = (words) => find(words) ?? words.split(/(?<=[.!?]) (?=[A-Z])/).map((one) => find(one) ?? one).join(" ");

    function turn(holder, name, words, write) {
      const kept = shown.get(holder)?.get(name);
      const theirs = kept?.ours === words ? kept.theirs : words;
      const ours = table && /[A-Za-z]/.test(theirs) ? theirs.replace(/[^\s:].*\S|\w/s, say) : theirs;
      if (ours === words) return;
      if (!kept) shown.set(holder, (shown.get(holder) ?? new Map()).set(name, {}));
      shown.get(holder).set(name, { theirs, ours });
      write(ours);
    }

    function turnElement(element) {
      if (element.matches(CONTENT)) return;
      for (const name of ATTRIBUTES) {
        const words = element.getAttribute(name);
        if (words) turn(element, name, words, (ours) => element.setAttribute(name, ours));
      }
      for (const child of element.childNodes) {
        if (child.nodeType === Node.TEXT_NODE) turn(child, "", child.data, (ours) => { child.data = ours; });
      }
    }

    function turnAll(root) {
      for (const place of root.closest?.(PLACES) ? [root] : root.querySelectorAll(PLACES)) {
        turnElement(place);
        place.querySelectorAll("*").forEach(turnElement);
      }
    }

    const watch = new MutationObserver((changes) => {
      for (const { type, target, addedNodes } of changes) {
        if (type === "childList") addedNodes.forEach((node) => node.nodeType === Node.ELEMENT_NODE && turnAll(node));
        const element = type === "characterData" ? target.parentElement : target;
        const hasText = type !== "childList" || [...addedNodes].some((node) => node.nodeType === Node.TEXT_NODE);
        if (hasText && element?.closest(PLACES)) turnElement(element);
      }
      watch.takeRecords(); // what we have just changed
    });

    return {
      update(next) {
        if (next === lang) return;
        watch.disconnect();
        lang = next;
        table = TABLES[lang] ? tableOf(TABLES[lang]) : null;
        document.documentElement.lang = lang === "zh" ? "zh-CN" : lang;
        turnAll(document);
        if (table) watch.observe(document, { subtree: true, childList: true, characterData: true, attributeFilter: ATTRIBUTES });
      },
    };
  })();
