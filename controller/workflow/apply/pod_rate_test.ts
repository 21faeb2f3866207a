import { assertEquals, assertStringIncludes } from "@std/assert";
import { exposition } from "@tiphys/base/metrics";
import { controllerMetrics } from "../../metrics/own_metrics.ts";
import { PodRate } from "./pod_rate.ts";

for (const [title, limit] of [["without a limit", undefined], ["below the limit", { limit: 10, burst: 5 }]] as const) {
  Deno.test(`pod rate: each pod counts in the latency ${title}`, async () => {
    const metrics = controllerMetrics({ now: () => 0 });
    const clock = { now: () => 0, after: () => () => {} };
    const rate = new PodRate({ limit: () => limit, clock, metrics, isWanted: () => true });
    const workflow = { metadata: { name: "w" }, spec: {} };
    assertEquals([await rate.mayCreate(workflow, "a"), await rate.mayCreate(workflow, "b")], [true, true]);
    const page = [...exposition(metrics.instruments(), "")].join("");
    assertStringIncludes(page, "resource_rate_limiter_latency_count 2");
    assertStringIncludes(page, "resource_rate_limiter_latency_sum 0");
  });
}
