  // Pages are turned by Streamlit's links. A rerun that the page asked for at the same moment (a field that is left, a
  // live part) names the page before and may win over the click, even after the new page has begun to show: then the
  // page is asked for once more. Parts that speak by themselves keep still meanwhile (`isTurning`).
  const pages = (function () {
    const PATIENCE = 10_000; // ms
    const EVERY = 250; // ms
    const AT_REST = 3; // looks in a row
    let data = null;
    let ask = () => {};
    let wish = null;

    function nameOf(link) {
      const names = new Map(data.pages.map(([name, path]) => [path, name]));
      return names.get(new URL(link.href).pathname.split("/").at(-1)) ?? "session";
    }

    function onClick(event) {
      const link = event.target instanceof Element && event.target.closest("header a[href]");
      wish = link ? { link, until: Date.now() + PATIENCE } : null;
      if (wish) setTimeout(watch, EVERY, wish, 0);
    }

    function watch(mine, rested) {
      if (mine !== wish) return;
      if (Date.now() > mine.until) wish = null;
      else if (!data || isDrawing()) setTimeout(watch, EVERY, mine, 0);
      else if (rested < AT_REST) setTimeout(watch, EVERY, mine, rested + 1);
      else {
        const name = nameOf(mine.link);
        wish = null;
        if (data.page !== name) ask("page", { name });
      }
    }

    // Who goes on from the page that was asked for has it; who goes back does not want it any more.
    document.addEventListener("click", onClick, true);
    document.addEventListener("keydown", () => wish && data?.page === nameOf(wish.link) && (wish = null), true);
    addEventListener("popstate", () => (wish = null));
    return {
      isTurning: () => wish !== null,
      update: (next, toAsk) => ([data, ask] = [next, toAsk]),
    };
  })();
