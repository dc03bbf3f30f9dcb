/* Search on pages opened from the disk: a browser starts no worker there, so its script runs in a hidden frame.
   The theme would load such a script from another host; it takes this one for it by the name of the file. */
if (location.protocol === "file:") {
  class FrameWorker extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.append(frame);
      this.frame = frame;
      const inside = frame.contentWindow;
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      inside.importScripts = async (...urls) => {
        for (const one of urls) await load(inside.document, one);
      };
      this.ready = load(inside.document, String(new URL(url, document.baseURI)));
    }

    async postMessage(data) {
      await this.ready;
      this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
    }

    terminate() {
      this.frame.remove();
    }
  }

  const load = (into, src) =>
    new Promise((resolve, reject) => {
      const script = into.createElement("script");
      script.onload = resolve;
      script.onerror = reject;
      script.src = src;
      into.body.append(script);
    });

  window.Worker = window.IFrameWorker = FrameWorker;
}
