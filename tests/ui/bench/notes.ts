/**
 * Records events of a page from its start: long tasks, the times at which elements first appear, input, and canvas
 * draws.
 */
import type { TestedPage } from "./tested_page.ts";

/**
 * A script that runs before the page. `notes.seen` contains the times of the frames in which an element of each sign
 * was first drawn, `notes.tasks` the long tasks, `notes.typed` the first input of the filter, and `notes.draws` the
 * number of canvas draws.
 */
export function notesScript({ signs, filter }: TestedPage): string {
  return `(${RECORD_ALL})(${JSON.stringify(signs)}, ${JSON.stringify(filter)})`;
}

/** Source of a function that runs in the page. */
const RECORD_ALL = `(signs, filter) => {
  const notes = globalThis.notes = { tasks: [], seen: {}, typed: undefined, draws: 0, keys: [], lint: undefined };
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) notes.tasks.push([startTime, duration]);
  }).observe({ type: "longtask", buffered: true });
  // A message is delivered after the current frame is drawn.
  notes.afterFrame = (tell) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => tell(performance.now());
    port2.postMessage(undefined);
  });
  const wanted = new Map(Object.entries(signs));
  new MutationObserver(() => {
    for (const [sign, selector] of wanted) {
      if (!document.querySelector(selector)) continue;
      wanted.delete(sign);
      notes.afterFrame((now) => notes.seen[sign] = now);
    }
  }).observe(document, { childList: true, subtree: true, attributes: true, attributeFilter: ["data-has-drawn-letters"] });
  document.addEventListener("input", ({ target }) => {
    if (notes.typed === undefined && target.matches(filter)) notes.typed = performance.now();
  }, true);
  const { clearRect, fillText } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.clearRect = function (...args) {
    notes.draws++;
    return clearRect.apply(this, args);
  };
  CanvasRenderingContext2D.prototype.fillText = function (...args) {
    if (this.canvas.closest?.(".xterm") || !this.canvas.isConnected) document.documentElement?.setAttribute("data-has-drawn-letters", "");
    return fillText.apply(this, args);
  };
}`;
