import { assertEquals } from "@std/assert";
import type { LogBatch, LogQuery, Source } from "../../api/source.ts";
import { EarlyLog } from "./early_log.ts";

const LINES: LogBatch = { kind: "lines", lines: [{ podName: "p", content: "a" }] };

/** A source of logs of two batches, and what is asked of it. */
function logSource() {
  const asked: LogQuery[] = [];
  const signals: AbortSignal[] = [];
  async function* logs(_namespace: string, _name: string, query: LogQuery, signal: AbortSignal) {
    asked.push(query);
    signals.push(signal);
    yield LINES;
    yield LINES;
  }
  return { source: { logs } as Partial<Source> as Source, asked, signals };
}

const MAIN = { container: "main", uid: undefined };
const WANTED: LogQuery = { container: "main", timestamps: true };

Deno.test("EarlyLog asks at once, and whoever reads that log goes on with it, once", async () => {
  const { source, asked } = logSource();
  const early = new EarlyLog();
  early.ask(source, "n", "w", MAIN);
  assertEquals(asked, [{ container: "main", uid: undefined, follow: true, timestamps: true }]);
  const { signal } = new AbortController();
  assertEquals(await Array.fromAsync(early.take(WANTED, signal)!), [LINES, LINES]);
  assertEquals([early.take(WANTED, signal), asked.length], [undefined, 1]);
});

Deno.test("EarlyLog is of no use for one pod, another container, another run, or a log that is resumed", () => {
  const { source } = logSource();
  const early = new EarlyLog();
  early.ask(source, "n", "w", MAIN);
  const { signal } = new AbortController();
  const others = [{ ...WANTED, podName: "p" }, { ...WANTED, container: "wait" }, { ...WANTED, sinceTime: "t" }];
  const ofOthers = [...others, { ...WANTED, uid: "of another run" }].map((query) => early.take(query, signal));
  assertEquals(ofOthers.filter((log) => log !== undefined), []);
});

Deno.test("EarlyLog is left with whoever took it, and where nobody takes it", () => {
  const { source, signals } = logSource();
  const early = new EarlyLog();
  early.ask(source, "n", "w", MAIN);
  const reader = new AbortController();
  early.take(WANTED, reader.signal);
  early.drop();
  assertEquals(signals[0]!.aborted, false);
  reader.abort();
  assertEquals(signals[0]!.aborted, true);
  early.ask(source, "n", "w", MAIN);
  early.drop();
  assertEquals(signals[1]!.aborted, true);
});
