/**
 * The document of DOM tests: defines the globals of jsdom in this process. Import it before modules of the page,
 * because Preact checks at load time which functions a browser has. Each test file has one document.
 */
import { JSDOM, VirtualConsole } from "jsdom";

/** The base address of all pages. */
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
  // The document counts as visible, because a hidden one holds no streams.
  { url: BASE, virtualConsole, pretendToBeVisual: true },
);
const page = dom.window as unknown as Window & typeof globalThis;

/** Globals that Deno also has, which are replaced by those of the document. */
const OF_DOCUMENT = new Set(["localStorage", "location", "navigator", "sessionStorage"]);

/** Functions that need the window as `this`. */
const OF_WINDOW = ["addEventListener", "getComputedStyle", "getSelection", "removeEventListener"] as const;

// The page uses Deno's abort signals, and jsdom accepts only its own.
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

/** Callbacks for the next frame, by ID. */
const frames = new Map<number, FrameRequestCallback>();
let lastFrame = 0;

/** Reports whether callbacks wait for the next frame. */
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

/** A worker that never responds: journeys in a browser test the handling of responses. */
class SilentWorker extends page.EventTarget {
  postMessage() {}
  terminate() {}
}

/** Browser APIs that jsdom does not have. */
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

/** Open modal dialogs, the topmost last. */
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

/** Closes the topmost modal dialog, as browsers do on Escape. Returns whether a dialog was open. */
export function closeModal(): boolean {
  const dialog = modals.at(-1);
  if (dialog?.dispatchEvent(new page.Event("cancel", { cancelable: true }))) dialog.close();
  return dialog !== undefined;
}

/** jsdom has no layout, so every element has the size of a window. */
for (const [name, value] of Object.entries({ clientWidth: 1024, clientHeight: 768 })) {
  Object.defineProperty(HTMLElement.prototype, name, { get: () => value, configurable: true });
}
Object.assign(Element.prototype, { scrollIntoView() {}, setPointerCapture() {}, releasePointerCapture() {} });
Object.assign(HTMLCanvasElement.prototype, { getContext: () => null });

/** The texts that were copied to the clipboard, newest last. */
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
