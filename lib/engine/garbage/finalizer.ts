/**
 * The finalizer that keeps a workflow until its artifacts are deleted. A workflow without such artifacts does not get
 * it, and has no cost from this folder.
 */
import type { Artifact, Template, Workflow, WorkflowSpec } from "@tiphys/model/api";
import { deletingStrategy, isDeletable } from "@tiphys/model/artifact_garbage";
import { FINALIZER } from "@tiphys/base/constants";
import { setCondition } from "../workflow/conditions.ts";
import type { RequestsDraft, Slice, StatusDraft } from "../slice.ts";
import { withInlineTemplates } from "../spec/templates.ts";

/** Reports whether a workflow is kept until its artifacts are deleted. */
export function hasGarbageFinalizer(
  { metadata }: { readonly metadata: { readonly finalizers?: readonly string[] } },
): boolean {
  return metadata.finalizers?.includes(FINALIZER.artifactGc) === true;
}

/**
 * Adds the finalizer if a template has outputs to be deleted. Called at the start, and whenever another template is
 * used for the first time.
 */
export function addGarbageFinalizer(pass: Slice<StatusDraft & RequestsDraft>, isFirstPass: boolean): void {
  const { before, config } = pass.facts;
  // Some clients retry a workflow without clearing its phase.
  const isStart = isFirstPass || before.status?.artifactGCStatus?.strategiesProcessed !== undefined;
  const { workflow } = pass.draft;
  if (config.artifactGc === false) return;
  const stored = workflow.status?.storedTemplates;
  if (!isStart && stored === before.status?.storedTemplates) return;
  if (isStart) {
    // A retried workflow creates its artifacts again, so the record of deleted ones is dropped. Go clients read this
    // field without a check, so it exists from the first pass on.
    pass.draft.setStatus({ artifactGCStatus: {} });
    warnAboutUndeletable(pass);
  }
  if (hasGarbageFinalizer(pass.draft.workflow)) return;
  const isNeeded = hasOutputsToDelete(pass, Object.values(stored ?? {}));
  const { notSpecified } = pass.draft.workflow.status?.artifactGCStatus ?? {};
  if (isNeeded) {
    pass.draft.setFinalizers([...workflow.metadata.finalizers ?? [], FINALIZER.artifactGc]);
    if (notSpecified) pass.draft.setStatus({ artifactGCStatus: {} });
  } else if (!notSpecified) pass.draft.setStatus({ artifactGCStatus: { notSpecified: true } });
}

/** Removes the finalizer. */
export function removeGarbageFinalizer(pass: Slice<StatusDraft>): void {
  const others = pass.draft.workflow.metadata.finalizers?.filter((finalizer) => finalizer !== FINALIZER.artifactGc);
  pass.draft.setFinalizers(others ?? []);
}

function hasOutputsToDelete(pass: Slice, stored: readonly Template[]): boolean {
  const { spec } = pass.draft;
  const defaults = spec.templateDefaults ? [spec.templateDefaults] : [];
  return withInlineTemplates([...spec.templates ?? [], ...stored, ...defaults]).some(({ outputs }) =>
    outputs?.artifacts?.some((artifact) => willBeDeleted(spec, artifact)) === true
  );
}

/** Reports whether an artifact will be deleted. A workflow is not kept for stores that cannot delete. */
function willBeDeleted(spec: WorkflowSpec, artifact: Artifact): boolean {
  return deletingStrategy(spec, artifact) !== undefined && isDeletable(artifact);
}

/** Warns about artifacts that should be deleted but cannot be, before anything runs. */
function warnAboutUndeletable(pass: Slice<StatusDraft & RequestsDraft>): void {
  const { spec, workflow } = pass.draft;
  const names = withInlineTemplates(spec.templates ?? []).flatMap((template) =>
    (template.outputs?.artifacts ?? [])
      .filter((artifact) => deletingStrategy(spec, artifact) !== undefined && !isDeletable(artifact))
      .map(({ name }) => `templates.${template.name ?? ""}.outputs.artifacts.${name}`)
  );
  if (names.length === 0) return;
  const message = `these artifacts are in stores that cannot delete them, and are kept: ${names.join(", ")}`;
  setCondition(pass, "SpecWarning", "True", appendWarning(workflow, message));
  pass.draft.request({ kind: "event", type: "Warning", reason: "ArtifactsStay", message });
}

/** Appends a warning to existing ones, as in Argo Workflows. */
function appendWarning({ status }: Workflow, message: string): string {
  const before = status?.conditions?.find(({ type }) => type === "SpecWarning")?.message;
  return before === undefined || before === message ? message : `${before}, ${message}`;
}
