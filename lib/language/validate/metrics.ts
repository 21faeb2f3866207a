/** Checks metrics of a workflow or template. */
import type { Metrics, Prometheus } from "@tiphys/model/api";
import type { FieldLocation, Report } from "./report.ts";

const METRIC_NAME = /^[a-zA-Z_][a-zA-Z0-9_]*$/;

/** Checks that each metric has a name, a help text, and a value that is available when it is emitted. */
export function checkMetrics(report: Report, metrics: Metrics | undefined, fieldPath: FieldLocation): void {
  metrics?.prometheus.forEach((metric, index) => {
    const at = (...field: (string | number)[]) => fieldPath.pathTo("metrics", "prometheus", index, ...field);
    if (!METRIC_NAME.test(metric.name)) {
      const rule = "Metric names must contain alphanumeric characters or '_'";
      report.add(at("name"), `${fieldPath.name} metric name '${metric.name}' is invalid. ${rule}`.trim());
    }
    metric.labels?.forEach(({ key }, label) => {
      if (METRIC_NAME.test(key)) return;
      report.add(
        at("labels", label, "key"),
        `metric label '${key}' is invalid: keys may only contain alphanumeric characters or '_'`,
      );
    });
    if (!metric.help) {
      const message = `${fieldPath.name} metric '${metric.name}' must contain a help string under 'help: ' field`;
      report.add(at("help"), message.trim());
    }
    const problem = valueProblem(metric);
    if (problem !== undefined) {
      report.add(at(), `${fieldPath.name} metric '${metric.name}' error: ${problem}`.trim());
    }
  });
}

function valueProblem({ gauge, counter, histogram }: Prometheus): string | undefined {
  if (gauge && !gauge.value) return "missing gauge.value";
  if (gauge?.realtime && gauge.value.includes("resourcesDuration.")) {
    return "'resourcesDuration.*' metrics cannot be used in real-time";
  }
  if (counter && !counter.value) return "missing counter.value";
  if (histogram && !histogram.value) return "missing histogram.value";
  return undefined;
}
