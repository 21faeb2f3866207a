import { assertEquals } from "@std/assert";
import type { Pod } from "@tiphys/model/api";
import { podSummary } from "./pod_summary.ts";

const running = { running: { startedAt: "2026-01-01T00:00:00Z" } };
const ended = (exitCode: number, reason = exitCode === 0 ? "Completed" : "Error") => ({
  terminated: { exitCode, reason, finishedAt: "2026-01-01T00:00:00Z" },
});
const waiting = (reason: string) => ({ waiting: { reason } });

function summary(status: unknown, metadata: unknown = {}): string {
  const spec = { initContainers: [{}, {}], containers: [{}, {}] };
  return podSummary({ metadata, spec, status } as unknown as Pod).reason;
}

for (
  const [reason, title, status, metadata] of [
    ["Running", "runs", { phase: "Running", containerStatuses: [{ state: running, ready: true }] }],
    ["Completed", "ended well", { phase: "Succeeded", containerStatuses: [{ state: ended(0) }] }],
    ["OOMKilled", "ended badly", { phase: "Failed", containerStatuses: [{ state: ended(137, "OOMKilled") }] }],
    ["ExitCode:3", "gave no reason", { phase: "Failed", containerStatuses: [{ state: ended(3, "") }] }],
    ["ErrImagePull", "waits", { phase: "Pending", containerStatuses: [{ state: waiting("ErrImagePull") }] }],
    ["Evicted", "never started", { phase: "Failed", reason: "Evicted" }],
    ["Terminating", "is being deleted", { phase: "Running" }, { deletionTimestamp: "2026-01-01T00:00:00Z" }],
    ["Init:0/2", "has an init container that runs", { phase: "Pending", initContainerStatuses: [{ state: running }] }],
    ["Init:Error", "has an init container that failed", {
      phase: "Pending",
      initContainerStatuses: [{ state: ended(1) }],
    }],
    ["Running", "has a completed container and a running one", {
      phase: "Running",
      containerStatuses: [{ state: ended(0) }, { state: running, ready: true }],
    }],
    ["Failed", "has nothing but a phase", { phase: "Failed" }],
  ] as const
) {
  Deno.test(`podSummary: is ${reason} for a pod that ${title}`, () => {
    assertEquals(summary(status, metadata), reason);
  });
}

Deno.test("podSummary: contains the number of restarts and the time since the last one", () => {
  const containerStatuses = [{ restartCount: 2, lastState: ended(1), state: running }, { restartCount: 1 }];
  const pod = { spec: {}, status: { phase: "Running", containerStatuses } } as unknown as Pod;
  assertEquals(podSummary(pod, new Date("2026-01-01T00:01:30Z")).restarts, "3 (90s ago)");
});
