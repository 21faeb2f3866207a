import { assertEquals } from "@std/assert";
import type { NodeStatus } from "@tiphys/model/api";
import { makePart, type PartFacts } from "../graph/make_part.ts";
import { shortCountsText, spokenWordsOf } from "./node_words.ts";

const part = (more: Partial<PartFacts>) => makePart({ key: "w.load(3)", label: "load(3)", kind: "leaf", ...more });
const node = (more: Partial<NodeStatus>): NodeStatus => ({ id: "n", name: "w.load(3)", type: "Pod", ...more });

Deno.test("spokenWordsOf: has name, phase, exit code and attempt, and nothing that changes every second", () => {
  const startedAt = "2026-01-01T00:00:00Z";
  const failed = node({ phase: "Failed", outputs: { exitCode: "1" }, message: "main: Error (exit code 1)" });
  const over = { ...failed, type: "Retry" as const, startedAt, finishedAt: "2026-01-01T00:01:10Z" };
  assertEquals(
    spokenWordsOf(part({ node: over, family: "failed", attempts: [failed, failed, failed] })),
    "load(3), failed, exit 1, attempt 3 of 3, 1m 10s",
  );
  const running = node({ phase: "Running", startedAt });
  assertEquals(
    spokenWordsOf(part({ node: running, family: "works", attempts: [failed, running] })),
    "load(3), running, attempt 2",
  );
  const waits = node({ phase: "Pending", message: "Waiting for db/1\nand more" });
  assertEquals(spokenWordsOf(part({ node: waits, family: "waits" })), "load(3), pending, Waiting for db/1");
});

Deno.test("shortCountsText: counts the most urgent leaves of a folded part", () => {
  const leaf = (key: string, family: "failed" | "done") => part({ key, family });
  const mixed = part({ kind: "loop", members: [leaf("a", "done"), leaf("b", "failed"), leaf("c", "done")] });
  assertEquals(shortCountsText(mixed), "1 failed of 3");
  assertEquals(shortCountsText(part({ kind: "loop", members: [leaf("a", "done"), leaf("b", "done")] })), "2 succeeded");
});
