import type { Artifact, Outputs, Parameter } from "../../lib/api/mod.ts";
import type { Pass } from "./pass.ts";

/** Hands outputs that have a `globalName` to the whole workflow, as `{{workflow.outputs.…}}` and in its status. */
export function exportOutputs(pass: Pass, outputs: Outputs | undefined): void {
  for (const parameter of outputs?.parameters ?? []) {
    if (!parameter.globalName || parameter.value === undefined) continue;
    pass.globals.set(`workflow.outputs.parameters.${parameter.globalName}`, parameter.value);
    const { globalName, valueFrom: _, ...rest } = parameter;
    upsert<Parameter>(pass, "parameters", { ...rest, name: globalName });
  }
  for (const artifact of outputs?.artifacts ?? []) {
    if (!artifact.globalName) continue;
    const { globalName, path: _, ...rest } = artifact;
    upsert<Artifact>(pass, "artifacts", { ...rest, name: globalName });
  }
}

function upsert<T extends { name: string }>(pass: Pass, field: "parameters" | "artifacts", item: T): void {
  const outputs = pass.workflow.status?.outputs;
  const list = (outputs?.[field] ?? []) as unknown as T[];
  const at = list.findIndex(({ name }) => name === item.name);
  if (at >= 0 && JSON.stringify(list[at]) === JSON.stringify(item)) return;
  const next = at >= 0 ? list.with(at, item) : [...list, item];
  pass.setStatus({ outputs: { ...outputs, [field]: next } });
}
