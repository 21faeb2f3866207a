/**
 * The document of DOM tests: jsdom as the globals of this process. Import it before anything of the page, because Preact
 * checks at load time which functions a browser has. Each test file has one document.
 */
import { JSDOM, VirtualConsole } from "jsdom";

/** The address below which all places of the page are. */
export const BASE = "http://page.test/";

/** Errors that no test expects: exceptions in event listeners, `console.error`, requests without an answer. */
export const faults: string[] = [];

console.error = (...values: readonly unknown[]) =>
  void faults.push(
    values.map((value) => value instanceof Error ? value.stack ?? value.message : String(value)).join(" "),
  );
const virtualConsole = new VirtualConsole();
virtualConsole.on("jsdomError", (error: Error) => faults.push(String(error.cause ?? error.message)));

const dom = new JSDOM(
  `<!doctype html><html lang="en" data-worker-graph="assets/graph.js" data-worker-lint="assets/lint.js" data-worker-stream="assets/stream.js"><head><title>Tiphys</title></head><body><div id="page"></div></body></html>`,
  // A document that is seen: one that is hidden holds no streams.
  { url: BASE, virtualConsole, pretendToBeVisual: true },
);
const page = dom.window as unknown as Window & typeof globalThis;

/** Globals that Deno has as well, of which the page needs those of its document. */
const OF_DOCUMENT = new Set(["localStorage", "location", "navigator", "sessionStorage"]);

/** Functions that mean the window that they are called on. */
const OF_WINDOW = ["addEventListener", "getComputedStyle", "getSelection", "removeEventListener"] as const;

// The page aborts by Deno's signals, and jsdom accepts its own alone.
const { addEventListener: listen } = page.EventTarget.prototype;
page.EventTarget.prototype.addEventListener = function (type, listener, options) {
  const { signal, ...rest } = typeof options === "object" ? options : { capture: options };
  if (signal?.aborted) return;
  listen.call(this, type, listener, rest);
  signal?.addEventListener("abort", () => this.removeEventListener(type, listener, rest), { once: true });
};

for (const name of Object.getOwnPropertyNames(page)) {
  if (name.startsWith("_") || name in globalThis && !OF_DOCUMENT.has(name)) continue;
  define(name, Reflect.get(page, name));
}
for (const name of OF_WINDOW) define(name, page[name].bind(page));

function define(name: string, value: unknown): void {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}

/** Functions to call before the next frame. */
const frames = new Map<number, FrameRequestCallback>();
let lastFrame = 0;

/** Whether something waits for the next frame. */
export function hasFrames(): boolean {
  return frames.size > 0;
}

function drawFrame(): void {
  const due = [...frames.values()];
  frames.clear();
  for (const draw of due) draw(performance.now());
}

class InertObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
  takeRecords() {
    return [];
  }
}

/** A thread that never answers: what the page does with answers of threads is tested in a browser. */
class SilentWorker extends page.EventTarget {
  postMessage() {}
  terminate() {}
}

/** Functions that browsers have and jsdom lacks. */
const MISSING = {
  Worker: SilentWorker,
  requestAnimationFrame(draw: FrameRequestCallback) {
    if (frames.size === 0) setTimeout(drawFrame);
    frames.set(++lastFrame, draw);
    return lastFrame;
  },
  cancelAnimationFrame(id: number) {
    frames.delete(id);
  },
  matchMedia: () => ({ matches: false, addEventListener() {}, removeEventListener() {} }),
  scrollTo() {},
  ResizeObserver: InertObserver,
  IntersectionObserver: InertObserver,
};
Object.assign(globalThis, MISSING);
Object.assign(page, MISSING);

/** Dialogs that are open in front of the page, the topmost last. */
const modals: HTMLDialogElement[] = [];

Object.assign(HTMLDialogElement.prototype, {
  showModal(this: HTMLDialogElement) {
    this.setAttribute("open", "");
    modals.push(this);
  },
  close(this: HTMLDialogElement) {
    if (!this.hasAttribute("open")) return;
    this.removeAttribute("open");
    modals.splice(modals.indexOf(this), 1);
    queueMicrotask(() => this.dispatchEvent(new page.Event("close")));
  },
});

/** Closes the dialog in front of the page, as browsers do on Escape; whether there was one. */
export function closeModal(): boolean {
  const dialog = modals.at(-1);
  if (dialog?.dispatchEvent(new page.Event("cancel", { cancelable: true }))) dialog.close();
  return dialog !== undefined;
}

/** jsdom lays nothing out: whatever has an extent is as large as a window. */
for (const [name, value] of Object.entries({ clientWidth: 1024, clientHeight: 768 })) {
  Object.defineProperty(HTMLElement.prototype, name, { get: () => value, configurable: true });
}
Object.assign(Element.prototype, { scrollIntoView() {}, setPointerCapture() {}, releasePointerCapture() {} });
Object.assign(HTMLCanvasElement.prototype, { getContext: () => null });

/** The texts that were copied to the clipboard, the newest last. */
export const copied: string[] = [];
Object.defineProperty(navigator, "clipboard", {
  value: {
    writeText(text: string) {
      copied.push(text);
      return Promise.resolve();
    },
  },
  configurable: true,
});
