// Put words where Streamlit writes, and where a reader's own texts stand.
(words) => {
    const made = (parent, attributes, text) => {
        const one = document.createElement("p");
        for (const [name, value] of Object.entries(attributes)) one.setAttribute(name, value);
        one.textContent = text;
        parent.append(one);
        return one;
    };
    const own = made(document.body, { "data-testid": "stDialog", id: "own" }, "");
    const content = made(document.body, { id: "content" }, "");
    const list = made(content, { role: "listbox" }, "");
    const chip = made(own, { "data-testid": "stFileChipName" }, "");
    for (const word of words) {
        made(own, { title: word }, word);
        for (const place of [content, chip]) made(place, { class: "text", title: word }, word);
        made(list, { class: "text", role: "option", "aria-label": word }, word);
    }
}
