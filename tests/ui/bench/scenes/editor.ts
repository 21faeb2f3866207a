/** B-12: a manifest of 2,000 lines: how long lint takes, and a key that is typed. */
import { percentile } from "../../../bench/statistics.ts";
import { NAMESPACES } from "../played/run_lists.ts";
import { goTo, holds, type Scene, settled, withPage } from "../scene.ts";

const KEYS = 40;

export const EDITOR: Scene = {
  name: "editor",
  about: "a manifest of 2,000 lines that is edited",
  withoutArgo: "it checks no manifest beside its schema",
  measure: (bench) =>
    withPage(bench, async (open) => {
      const { page } = open;
      await page.addInitScript(NOTE_LINT);
      await goTo(open, `/workflow-templates/${NAMESPACES.quiet}/large?tab=manifest`);
      await page.waitForSelector(".problems");
      await settled(open);
      // To the middle of the text, at the end of a line.
      const places = page.getByLabel("Go to");
      const lines = await places.locator("option").evaluateAll((all) =>
        all.map((one) => (one as unknown as { value: string }).value)
      );
      await places.selectOption(lines[lines.length >> 1]!);
      await page.keyboard.press("End");
      await page.evaluate(NOTE_KEYS);
      const checked = await page.evaluate<number>("lints.length");
      await bench.browser.startTracing(page, { categories: ["toplevel", "__metadata"] });
      for (let key = 0; key < KEYS; key++) await page.keyboard.press("abcdefgh"[key % 8]!);
      await holds(open, `works.length >= ${KEYS}`);
      const trace = new TextDecoder().decode(await bench.browser.stopTracing());
      await holds(open, `lints.length > ${checked}`);
      return {
        "lint of 2,000 lines": percentile(await page.evaluate<number[]>("lints"), 50)!,
        "work of a key typed, p95": percentile(await page.evaluate<number[]>("works"), 95)!,
        "processor time of a key": processorMillis(trace) / KEYS,
      };
    }),
};

/** An event of a trace, as far as it is looked at. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds of processor time. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** The processor time of the tasks of the threads that draw pages: a machine that is busy changes little of it. */
function processorMillis(trace: string): number {
  const { traceEvents } = JSON.parse(trace) as { traceEvents: readonly TraceEvent[] };
  const placeOf = ({ pid, tid }: TraceEvent) => `${pid}/${tid}`;
  const threads = new Set(
    traceEvents.filter(({ name, args }) => name === "thread_name" && args?.name === "CrRendererMain").map(placeOf),
  );
  const tasks = traceEvents.filter((event) => /RunTask$/.test(event.name) && threads.has(placeOf(event)));
  return tasks.reduce((sum, { tdur = 0 }) => sum + tdur, 0) / 1000;
}

/** Notes how long the thread takes for each text. */
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

/** Notes the work that a key makes: of its events, and of the frame that shows it; not the wait for that frame. */
const NOTE_KEYS = `
globalThis.works = [];
addEventListener("keydown", () => {
  const pressed = performance.now();
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    const handled = performance.now() - pressed;
    requestAnimationFrame(() => {
      const begun = performance.now();
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => works.push(handled + performance.now() - begun);
      port2.postMessage(undefined);
    });
  };
  addEventListener("input", () => port2.postMessage(undefined), { capture: true, once: true });
}, true)`;
