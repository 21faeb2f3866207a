import { assertEquals } from "@std/assert";
import type { Source } from "../api/source.ts";
import { parsePageAddress } from "../model/place.ts";
import { runQueryOf, windowOf } from "../model/run_query.ts";
import { requestEarly } from "./early_source.ts";

/** A source that records its requests. */
function notedSource() {
  const asked: string[] = [];
  const signals: (AbortSignal | undefined)[] = [];
  const note = (subject: string, signal: AbortSignal | undefined) => {
    asked.push(subject);
    signals.push(signal);
  };
  const source = {
    listRuns: (query, _window, signal) => {
      note(`list ${query.namespace}`, signal);
      return Promise.resolve({ items: [], total: asked.length });
    },
    getRun: (namespace, name, uid, signal) => {
      note(`get ${namespace}/${name} ${uid}`, signal);
      return Promise.resolve({ metadata: { name, uid: String(asked.length) }, spec: {} });
    },
    // deno-lint-ignore require-yield -- a log without a line
    async *logs(namespace, name, { container }, signal) {
      note(`log ${namespace}/${name} ${container}`, signal);
    },
  } satisfies Partial<Source> as Partial<Source> as Source;
  return { source, asked, signals };
}

Deno.test("requestEarly: requests the rows of a list, and returns them once", async () => {
  const { source, asked } = notedSource();
  const place = parsePageAddress("workflows/data?phase=Failed&limit=20");
  const early = requestEarly(source, place);
  assertEquals(asked, ["list data"]);
  const question = [runQueryOf("data", place.query), windowOf(place.query)] as const;
  assertEquals((await early.source.listRuns(...question)).total, 1);
  assertEquals((await early.source.listRuns(...question)).total, 2);
});

Deno.test("requestEarly: requests a run and the log in its address", async () => {
  const { source, asked } = notedSource();
  const early = requestEarly(source, parsePageAddress("workflows/data/etl?uid=u&tab=logs"));
  assertEquals(asked, ["get data/etl u", "log data/etl main"]);
  const { signal } = new AbortController();
  assertEquals((await early.source.getRun("data", "etl", "u")).metadata.uid, "1");
  const whole = { container: "main", uid: "u", timestamps: true };
  // Other logs are requested normally.
  const others = [{ ...whole, container: "wait" }, { ...whole, sinceTime: "t" }];
  for (const other of others) await Array.fromAsync(early.source.logs("data", "etl", other, signal));
  assertEquals(asked.length, 4);
  await Array.fromAsync(early.source.logs("data", "etl", whole, signal));
  assertEquals(asked.length, 4);
  await Array.fromAsync(early.source.logs("data", "etl", whole, signal));
  assertEquals(asked.length, 5);
});

Deno.test("requestEarly: cancels the log of all pods if that of one is shown", async () => {
  const { source, asked, signals } = notedSource();
  const early = requestEarly(source, parsePageAddress("workflows/data/etl?tab=logs"));
  const request = { container: "main", timestamps: true, podName: "p" };
  await Array.fromAsync(early.source.logs("data", "etl", request, new AbortController().signal));
  assertEquals([asked.length, signals.map((signal) => signal?.aborted)], [3, [false, true, false]]);
});

Deno.test("requestEarly: does not answer other requests", async () => {
  const { source, asked } = notedSource();
  const early = requestEarly(source, parsePageAddress("workflows/data/etl"));
  await early.source.getRun("data", "other");
  assertEquals(asked, ["get data/etl undefined", "get data/other undefined"]);
});

Deno.test("requestEarly: requests nothing for unknown pages, and cancels unused requests", () => {
  const { source, asked, signals } = notedSource();
  for (const address of ["help", "workflow-templates/data", "workflow-templates/data/etl"]) {
    requestEarly(source, parsePageAddress(address));
  }
  requestEarly(source, parsePageAddress("workflows/data/etl?tab=logs&sidePanel=logs:node")).cancelUnused();
  assertEquals(asked, ["get data/etl undefined"]);
  assertEquals(signals.map((signal) => signal?.aborted), [true]);
});
