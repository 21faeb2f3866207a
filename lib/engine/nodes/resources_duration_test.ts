import { assertEquals } from "@std/assert";
import type { Pod } from "@tiphys/model/api";
import { resourcesDurationOf } from "./resources_duration.ts";

const NOW = new Date("2026-01-01T00:01:00Z");
const START = "2026-01-01T00:00:00Z";

interface Requirements {
  readonly limits?: Record<string, string>;
  readonly requests?: Record<string, string>;
}

/** A pod whose containers ran from the start for some seconds, or still run. */
function pod(containers: Record<string, Requirements & { seconds?: number }>, resources?: Requirements): Pod {
  const named = Object.entries(containers);
  return {
    metadata: { name: "p" },
    spec: {
      containers: named.map(([name, { limits, requests }]) => ({ name, resources: { limits, requests } })),
      resources,
    },
    status: {
      containerStatuses: named.map(([name, { seconds }]) => {
        const finishedAt = new Date(Date.parse(START) + (seconds ?? 0) * 1000).toISOString();
        const state = seconds === undefined
          ? { running: { startedAt: START } }
          : { terminated: { exitCode: 0, startedAt: START, finishedAt } };
        return { name, state };
      }),
    },
  } as unknown as Pod;
}

Deno.test("resources duration: a container without requests counts as 100m of a CPU and 100 MiB, for whole seconds, rounded down", () => {
  assertEquals(resourcesDurationOf(pod({ main: { seconds: 25.9 }, wait: { seconds: 9 } }), NOW), {
    cpu: 2,
    memory: 34,
  });
});

Deno.test("resources duration: requests take precedence over limits, and other resources are counted in their own unit", () => {
  const limits = { cpu: "2", "ephemeral-storage": "20Gi", "nvidia.com/gpu": "1" };
  const asked = { limits, requests: { cpu: "500m", memory: "1Gi" }, seconds: 10 };
  const held = { cpu: 5, memory: 102, "ephemeral-storage": 20, "nvidia.com/gpu": 10 };
  assertEquals(resourcesDurationOf(pod({ main: asked }), NOW), held);
});

Deno.test("resources duration: requests of the whole pod count once, for the first container without its own", () => {
  const containers = { own: { requests: { cpu: "1" }, seconds: 10 }, main: { seconds: 10 }, other: { seconds: 10 } };
  const asked = { limits: { cpu: "4" }, requests: { memory: "1000Mi" } };
  assertEquals(resourcesDurationOf(pod(containers, asked), NOW), { cpu: 10 + 40 + 1, memory: 10 + 100 + 10 });
});

Deno.test("resources duration: a container that is still running counts up to now; one without a known state does not count", () => {
  assertEquals(resourcesDurationOf(pod({ main: {} }), NOW), { cpu: 6, memory: 60 });
  const { status: _, ...unseen } = pod({ main: {} });
  assertEquals(resourcesDurationOf(unseen as Pod, NOW), { cpu: 0, memory: 0 });
});
