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

const WANTED: LogQuery = { container: "main", timestamps: true };

Deno.test("EarlyLog asks at once, and whoever reads that log goes on with it, once", async () => {
  const { source, asked } = logSource();
  const early = new EarlyLog();
  early.ask(source, "n", "w", "main");
  assertEquals(asked, [{ container: "main", follow: true, timestamps: true }]);
  const { signal } = new AbortController();
  assertEquals(await Array.fromAsync(early.take(WANTED, signal)!), [LINES, LINES]);
  assertEquals([early.take(WANTED, signal), asked.length], [undefined, 1]);
});

Deno.test("EarlyLog is of no use for one pod, another container, or a log that is resumed", () => {
  const { source } = logSource();
  const early = new EarlyLog();
  early.ask(source, "n", "w", "main");
  const { signal } = new AbortController();
  const others = [{ ...WANTED, podName: "p" }, { ...WANTED, container: "wait" }, { ...WANTED, sinceTime: "t" }];
  assertEquals(others.map((query) => early.take(query, signal)), [undefined, undefined, undefined]);
});

Deno.test("EarlyLog is left with whoever took it, and where nobody takes it", () => {
  const { source, signals } = logSource();
  const early = new EarlyLog();
  early.ask(source, "n", "w", "main");
  const reader = new AbortController();
  early.take(WANTED, reader.signal);
  early.drop();
  assertEquals(signals[0]!.aborted, false);
  reader.abort();
  assertEquals(signals[0]!.aborted, true);
  early.ask(source, "n", "w", "main");
  early.drop();
  assertEquals(signals[1]!.aborted, true);
});
