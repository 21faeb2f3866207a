/** Detects templates that call themselves unconditionally: only a limit ends them. */
import type { Template, WorkflowSpec } from "@tiphys/model/api";
import { findCycle } from "./cycle.ts";
import type { FieldLocation, Report } from "./report.ts";

/** Reports the first unconditional cycle of calls in a spec. */
export function checkEndlessCalls(report: Report, { templates = [] }: WorkflowSpec, fieldPath: FieldLocation): void {
  if (!report.judgesExpressions) return;
  const byName = new Map(templates.map((template, index) => [template.name ?? "", { template, index }]));
  const cycle = findCycle([...byName.keys()], (name) => callsWithoutCondition(byName.get(name)!.template));
  if (cycle === undefined) return;
  const index = templates.findLastIndex(({ name = "" }) => cycle.startsWith(`${name}->`));
  const message = `calls itself without a condition (${cycle}): only a limit ends it`;
  report.addFinding(fieldPath.pathTo("templates", index, "name"), { offset: 0, severity: "warning", message });
}

function callsWithoutCondition({ steps, dag }: Template): string[] {
  // A task with `depends` may be omitted.
  const tasks = (dag?.tasks ?? []).filter(({ depends }) => !depends);
  return [...steps?.flat() ?? [], ...tasks].flatMap(({ template, when }) => template && !when ? [template] : []);
}
