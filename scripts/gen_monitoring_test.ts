import { assert, assertEquals } from "@std/assert";
import { BUILT_IN_METRICS } from "../lib/base/metrics/built_in.ts";
import { ALERTS, PANELS } from "./gen_monitoring.ts";

const PREFIX = "argo_workflows_";
const METRICS = new Map(BUILT_IN_METRICS.map((metric) => [`${PREFIX}${metric.name}`, metric]));
const QUERIES = [...ALERTS.map(({ expr }) => expr), ...PANELS.map(([, , expr]) => expr)];

Deno.test("alerts and dashboard: query metrics that the controller has, histograms by their buckets", () => {
  for (const query of QUERIES) {
    for (const [name] of query.matchAll(/argo_workflows_\w+/g)) {
      const histogram = METRICS.get(name.replace(/_bucket$/, ""))?.type === "histogram";
      assert(
        histogram === name.endsWith("_bucket") && METRICS.has(name.replace(/_bucket$/, "")),
        `${name} in ${query}`,
      );
    }
  }
});

Deno.test("alerts and dashboard: group by labels that the metric has", () => {
  for (const query of QUERIES) {
    for (const [, labels = "", name = ""] of query.matchAll(/by \(([\w, ]+)\) \([^()]*\(?(argo_workflows_\w+)/g)) {
      const known = [...METRICS.get(name.replace(/_bucket$/, ""))?.labels ?? [], "le"];
      assertEquals(labels.split(", ").filter((label) => !known.includes(label)), [], query);
    }
  }
});
