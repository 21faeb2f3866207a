import { assertEquals } from "@std/assert";
import type { Pod } from "@tiphys/model/api";
import { summarizeHeldPods } from "./held_by_age.ts";

function pod(creationTimestamp: string, deletionTimestamp?: string): Pod {
  return { metadata: { name: "p", creationTimestamp, deletionTimestamp }, spec: { containers: [] } };
}

Deno.test("summarizeHeldPods(): counts held pods by age, and those that are being deleted separately", () => {
  const now = new Date("2026-01-01T02:00:00Z");
  const pods = [pod("2026-01-01T01:59:00Z"), pod("2026-01-01T00:30:00Z", "2026-01-01T01:59:30Z")];
  assertEquals(summarizeHeldPods(pods, now), {
    held: 2,
    oldestSeconds: 5400,
    overAnHour: 1,
    deleting: 1,
    longestDeletingSeconds: 30,
  });
});
