// A page that was opened as a file may start no worker, and so the search would not run: it runs in a frame instead.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.title = "Search";
      const started = () => document.body.append(this.frame);
      // The frame speaks to the page as a worker does, by `postMessage`, once its script has been read.
      this.ready = new Promise((resolve) => {
        this.frame.addEventListener("load", () => {
          const inside = this.frame.contentWindow;
          if (inside.postMessage.toPage) return;
          const toPage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
          toPage.toPage = true;
          inside.postMessage = toPage;
          const script = inside.document.createElement("script");
          script.src = address;
          script.addEventListener("load", () => resolve(inside));
          inside.document.body.append(script);
        });
      });
      document.body ? started() : addEventListener("DOMContentLoaded", started);
    }

    postMessage(data) {
      this.ready.then((inside) => inside.dispatchEvent(new inside.MessageEvent("message", { data })));
    }

    terminate() {
      this.frame.remove();
    }
  };
}
