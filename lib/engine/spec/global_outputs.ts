import type { Artifact, Outputs, Parameter } from "@tiphys/model/api";
import { withGlobalParameter } from "@tiphys/language/template";
import { sameJson } from "@tiphys/kube/patch";
import type { Slice, StatusDraft } from "../slice.ts";

/** Exports outputs with a `globalName` to the whole workflow, as `{{workflow.outputs.…}}` and in its status. */
export function exportOutputs(pass: Slice<StatusDraft>, outputs: Outputs | undefined): void {
  for (const parameter of outputs?.parameters ?? []) {
    if (!parameter.globalName) continue;
    if (parameter.value !== undefined) {
      pass.draft.setGlobal(`workflow.outputs.parameters.${parameter.globalName}`, parameter.value);
    }
    const known = pass.draft.workflow.status?.outputs?.parameters ?? [];
    const parameters = withGlobalParameter(known, parameter) as Parameter[];
    if (parameters !== known) pass.draft.setStatus({ outputs: { ...pass.draft.workflow.status?.outputs, parameters } });
  }
  for (const artifact of outputs?.artifacts ?? []) if (artifact.globalName) exportArtifact(pass, artifact);
}

function exportArtifact(pass: Slice<StatusDraft>, artifact: Artifact): void {
  const { globalName, path: _, ...rest } = artifact;
  const exported = { ...rest, name: globalName! };
  const known = pass.draft.workflow.status?.outputs?.artifacts ?? [];
  const index = known.findIndex(({ name }) => name === globalName);
  if (index >= 0 && sameJson(known[index], exported)) return;
  const artifacts = index >= 0 ? known.with(index, exported) : [...known, exported];
  pass.draft.setStatus({ outputs: { ...pass.draft.workflow.status?.outputs, artifacts } });
}
