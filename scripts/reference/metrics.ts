/** The page of the controller's metrics, from the table that serves them. */
import { BUILT_IN_METRICS } from "../../lib/base/metrics/built_in.ts";
import { generatedFrom, table } from "./markdown.ts";

/** The text of `docs/reference/metrics.md`. */
export function metricsPage(): string {
  const rows = BUILT_IN_METRICS.map(({ name, type, labels = [], help }) => [
    `\`argo_workflows_${name}\``,
    type,
    labels.map((label) => `\`${label}\``).join(", "),
    help.replace(/ https:\S+$/, ""),
  ]);
  return `${generatedFrom("lib/base/metrics/built_in.ts")}

# Metrics of the controller

Names, labels and help texts are Argo's. [Metrics](../metrics.md) describes how to scrape them and how to emit metrics
from a workflow.

${table(["Metric", "Type", "Labels", "Help"], rows)}
`;
}
