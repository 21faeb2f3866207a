/** B-12: the editor with a manifest of 2,000 lines: the duration of lint, and of a key press. */
import { percentile } from "../../../bench/statistics.ts";
import { NAMESPACES } from "../played/run_lists.ts";
import { awaitSettled, awaitTrue, goTo, type Scene, withPage } from "../scene.ts";

const KEYS = 40;
const CHECKS = 3;

export const EDITOR: Scene = {
  name: "editor",
  about: "editing a manifest of 2,000 lines",
  withoutArgo: "it only checks manifests against their schema",
  measure: (bench) =>
    withPage(bench, async (open) => {
      const { page } = open;
      await page.addInitScript(NOTE_LINT);
      await goTo(open, `/workflow-templates/${NAMESPACES.quiet}/large?tab=manifest`);
      await page.waitForSelector(".problems");
      await awaitSettled(open);
      // Moves to the middle of the text, to the end of a line.
      const places = page.getByLabel("Go to");
      const lines = await places.locator("option").evaluateAll((all) =>
        all.map((element) => (element as unknown as { value: string }).value)
      );
      await places.selectOption(lines[lines.length >> 1]!);
      await page.keyboard.press("End");
      const checked = await page.evaluate<number>("lints.length");
      await bench.browser.startTracing(page, { categories: ["toplevel", "devtools.timeline", "__metadata"] });
      for (let key = 0; key < KEYS; key++) {
        await page.keyboard.press("abcdefgh"[key % 8]!);
        // Waits until the frame after the key press is drawn.
        await page.evaluate("new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))");
      }
      const trace = new TextDecoder().decode(await bench.browser.stopTracing());
      // Each pause triggers a check. The first check is not measured, because it includes the start of the worker.
      for (let check = 1; check <= CHECKS; check++) {
        await awaitTrue(open, `lints.length >= ${checked + check}`);
        await page.keyboard.press("x");
      }
      return {
        "lint of 2,000 lines": percentile(
          (await page.evaluate<number[]>("lints")).slice(checked, checked + CHECKS),
          50,
        )!,
        "processor time per key press, p95": percentile(keyPressTimes(trace), 95)!,
      };
    }),
};

/** The used fields of a trace event. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Start time, in microseconds. */
  readonly ts: number;
  readonly dur?: number;
  /** Microseconds of processor time. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string; readonly data?: { readonly type?: string } };
}

/**
 * The processor time of the page's main thread from each key press to the next, in milliseconds: the work for the key
 * and for its frame, without waiting for the frame.
 */
function keyPressTimes(trace: string): number[] {
  const { traceEvents } = JSON.parse(trace) as { traceEvents: readonly TraceEvent[] };
  const keys = traceEvents.filter(({ name, args }) => name === "EventDispatch" && args?.data?.type === "keydown")
    .toSorted((a, b) => a.ts - b.ts);
  const [first] = keys;
  const tasks = traceEvents.filter(({ name, pid, tid }) =>
    /RunTask$/.test(name) && pid === first?.pid && tid === first.tid
  );
  return keys.slice(0, -1).map(({ ts: from }, index) =>
    // The task that dispatches a key press began before the event.
    tasks.filter(({ ts, dur = 0 }) => ts + dur > from && ts + dur <= keys[index + 1]!.ts)
      .reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1000
  );
}

/** Records the duration of each check in the worker. */
const NOTE_LINT = `
globalThis.lints = [];
{
  const { postMessage } = Worker.prototype;
  Worker.prototype.postMessage = function (message, ...rest) {
    const asked = performance.now();
    if (typeof message?.text === "string") {
      const listen = ({ data }) => {
        if (data.id !== message.id) return;
        lints.push(performance.now() - asked);
        this.removeEventListener("message", listen);
      };
      this.addEventListener("message", listen);
    }
    return postMessage.call(this, message, ...rest);
  };
}`;
