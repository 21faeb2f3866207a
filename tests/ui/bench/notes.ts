/** The notes of a page from its start: long tasks, the moments at which signs were first drawn, keys, and pictures. */
import type { TestedPage } from "./tested_page.ts";

/**
 * The script that begins before the page. `notes.seen` has the moments at which the frame with the first element of a sign
 * was drawn, `notes.tasks` the long tasks, `notes.typed` the first input of the filter, `notes.draws` how often a
 * canvas of the page was drawn anew.
 */
export function notesScript({ signs, filter }: TestedPage): string {
  return `(${noteAll})(${JSON.stringify(signs)}, ${JSON.stringify(filter)})`;
}

/** Runs in the page; it is handed there as text. */
const noteAll = `(signs, filter) => {
  const notes = globalThis.notes = { tasks: [], seen: {}, typed: undefined, draws: 0, keys: [], lint: undefined };
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) notes.tasks.push([startTime, duration]);
  }).observe({ type: "longtask", buffered: true });
  // A message comes after the frame that was made meanwhile: what is noted then has been drawn.
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
