  // What this browser keeps, as cookies, so that the server has it before it draws: the language, and which runs it has
  // opened. Only names; nothing of a run's content.
  const YEAR = 365 * 24 * 3600;
  const MOST_RUNS = 8;

  function cookie(name) {
    const found = document.cookie.split("; ").find((one) => one.startsWith(`memorybank-${name}=`));
    return found ? found.slice(found.indexOf("=") + 1) : "";
  }

  function keepCookie(name, value, age) {
    if (cookie(name) === value) return;
    const lasting = age ? `; Max-Age=${age}` : "";
    document.cookie = `memorybank-${name}=${value}; Path=/; SameSite=Strict${lasting}`;
  }

  function first(list, most) {
    return [...new Set(list.filter(Boolean))].slice(0, most).join(".");
  }

  // A living run takes orders from one tab of the browser: the tab that takes it over tells the one that had it.
  const tabs = new BroadcastChannel("memorybank");
  let owned = "";
  let askAgain = () => {};
  tabs.onmessage = ({ data }) => heed(data, 5);

  // A page that is just being drawn may not take the question: it is put again until the page no longer has the run.
  function heed(taken, times) {
    if (taken !== owned || !times) return;
    askAgain();
    setTimeout(heed, 1500, taken, times - 1);
  }

  function remember({ lang, run, own }, ask) {
    if (lang) keepCookie("lang", lang, YEAR);
    if (run) keepCookie("runs", first([run, ...cookie("runs").split(".")], MOST_RUNS), YEAR);
    if (own && own !== owned) tabs.postMessage(own);
    owned = own;
    askAgain = () => ask("again");
  }

  // A server that was started anew knows nothing of an open page: it is asked at once, or the first press would be lost.
  const app = document.querySelector("[data-test-connection-state]");
  const isBack = () => app.dataset.testConnectionState === "CONNECTED";
  if (app) new MutationObserver(() => isBack() && askAgain()).observe(app, { attributeFilter: ["data-test-connection-state"] });

  // Moving through a run is no journey through pages: Back leads to the page before, not to the event before.
  const push = history.pushState.bind(history);
  history.pushState = (kept, unused, url) => {
    const same = url !== undefined && url !== null && new URL(url, location.href).pathname === location.pathname;
    return same ? history.replaceState(kept, unused, url) : push(kept, unused, url);
  };

  // The tab's icon: shell.py can name only a stand-in, and names it again with each run.
  const ICON = `data:image/svg+xml,${encodeURIComponent(/* ICON */)}`;
  for (const link of document.querySelectorAll("link[rel~='icon']")) {
    const keep = () => link.href !== ICON && (link.href = ICON);
    new MutationObserver(keep).observe(link, { attributeFilter: ["href"] });
    keep();
  }
