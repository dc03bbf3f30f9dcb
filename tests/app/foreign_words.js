// The words of a page that a pattern finds, each with the part of the page that it stands in.
(pattern) => {
    // Codes, files and what is sent to a model stand as they are; what a reader types is the reader's.
    const DATA = "pre, code, kbd, textarea, script, style, noscript, .mono, .raw, .about, .prompt-text, "
        + ".set-table td.text, "
        + ["IconMaterial", "ExpanderIcon", "FileChipName", "Code"].map((name) => `[data-testid=st${name}]`).join(", ");
    const NAMED = "button[aria-label] span"; // the name of the button is read in their place
    const foreign = new RegExp(pattern);
    const seen = [];
    const take = (words, element) => {
        if (!foreign.test(words) || element.closest(DATA) || element.matches(NAMED)) return;
        const host = element.getRootNode().host ?? element;
        seen.push([words.trim(), host.closest("[class*=st-key-]")?.className.match(/st-key-[\w-]+/)?.[0] ?? ""]);
    };
    const walk = (root) => {
        for (const element of root.querySelectorAll("*")) {
            if (element.shadowRoot) walk(element.shadowRoot);
            for (const name of ["title", "aria-label", "aria-description", "aria-valuetext", "placeholder", "alt"]) {
                if (element.hasAttribute(name)) take(element.getAttribute(name), element);
            }
            for (const child of element.childNodes) if (child.nodeType === Node.TEXT_NODE) take(child.data, element);
        }
    };
    walk(document);
    return seen;
}
