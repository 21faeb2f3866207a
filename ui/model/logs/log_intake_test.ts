import { assertEquals } from "@std/assert";
import { LogReader } from "../../api/log_lines.ts";
import type { LogBatch, LogLine } from "../../api/source.ts";
import { addBatch } from "./log_intake.ts";
import { LogStore } from "./log_store.ts";
import { LogResume } from "./resume.ts";

const LINES: readonly LogLine[] = [
  { podName: "a", content: "2026-01-01T00:00:00Z one" },
  { podName: "a", content: "2026-01-01T00:00:00.123456789Z  two, after a second blank" },
  { podName: "b", content: "without a time" },
  { podName: "b", content: "2026-01-01T00:00:01Z" },
  { podName: "b", content: "2026-01-01T00:00:01.Z no time" },
  { podName: "b", content: "" },
  { podName: "a", content: "2026-01-01T00:00:02.5Z the last" },
];

/** The lines as bytes of a stream. */
function asBytes(lines: readonly LogLine[]): LogBatch[] {
  const reader = new LogReader();
  const messages = lines.map(({ podName, content }) =>
    `data: {"result":{"content":"${content}","podName":"${podName}"}}\n\n`
  );
  // The first line end belongs to an earlier line.
  return reader.read(new TextEncoder().encode(`\n${messages.join("")}`)).filter((logPiece) =>
    logPiece.kind === "plain"
  );
}

function stored(store: LogStore) {
  return Array.from({ length: store.count }, (_, number) => store.line(number));
}

Deno.test("addBatch: bytes yield the same lines as parsed lines", () => {
  const [store, other] = [new LogStore(), new LogStore()];
  addBatch({ kind: "lines", lines: LINES }, store, new LogResume());
  for (const batch of asBytes(LINES)) addBatch(batch, other, new LogResume());
  assertEquals(stored(other), stored(store));
  assertEquals(stored(store).map(({ text }) => text), [
    "one",
    " two, after a second blank",
    "without a time",
    "",
    "2026-01-01T00:00:01.Z no time",
    "",
    "the last",
  ]);
});

Deno.test("addBatch: ignores bytes that a stream repeats, also across chunks", () => {
  const [store, resume] = [new LogStore(), new LogResume()];
  const many = Array.from({ length: 20_000 }, (_, i) => ({
    podName: "p",
    content: `2026-01-01T00:00:${String(i % 60).padStart(2, "0")}.${String(i).padStart(9, "0")}Z ${
      "x".repeat(i % 300)
    }`,
  })).sort((a, b) => a.content < b.content ? -1 : 1);
  for (let round = 0; round < 2; round++) {
    resume.startStream();
    for (const batch of asBytes(many)) addBatch(batch, store, resume);
  }
  assertEquals(stored(store).map(({ time, text }) => `${time} ${text}`), many.map(({ content }) => content));
});
