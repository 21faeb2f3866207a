/**
 * Resolution of the template that a step, task or hook refers to. A template of another object is copied into
 * `status.storedTemplates` when it is first used, so later changes of that object do not affect a running workflow.
 */
import { UserError } from "@tiphys/base/user_error";
import { type ContinueOn, isProblem, type Template, type TemplateRef, type WorkflowSpec } from "@tiphys/model/api";
import { applyStrategicMergePatch } from "@tiphys/kube/patch";
import { recordMerged } from "@tiphys/language/template";
import { callsIn, isTemplateType, templateType } from "@tiphys/model/templates";
import type { Slice, StatusDraft } from "../slice.ts";

/** The holder of a reference to a template: a step, a task, a hook or a node. */
export interface TemplateHolder {
  readonly name?: string;
  readonly template?: string;
  readonly templateRef?: TemplateRef;
  readonly inline?: Template;
  readonly continueOn?: ContinueOn;
}

/** The object in which names of templates are looked up. */
export interface TemplateScope {
  readonly kind: "local" | "namespaced" | "cluster";
  /** The name of that object; empty for a workflow that refers to a WorkflowTemplate. */
  readonly name: string;
}

/** A template, and the scope in which the names it uses are looked up. */
export interface ResolvedTemplate {
  readonly template: Template;
  readonly scope: TemplateScope;
}

/** The template does not exist or is invalid. The message becomes that of the node. */
export class TemplateNotFoundError extends UserError {
  override readonly name = "TemplateNotFoundError";
}

/** The scope a workflow starts in. */
export function rootScope(pass: Slice): TemplateScope {
  return { kind: "local", name: pass.draft.workflow.spec.workflowTemplateRef ? "" : pass.name };
}

/** Formats a scope as nodes store it: `local/x`, `namespaced/x` or `cluster/x`. */
export function formatScope(scope: TemplateScope): string {
  return `${scope.kind}/${scope.name}`;
}

/** Parses the scope of a node. An empty one is local; one without a slash is the name of a WorkflowTemplate. */
export function parseScope(text: string | undefined): TemplateScope {
  if (!text) return { kind: "local", name: "" };
  const [kind = "", name] = text.split("/");
  return name === undefined ? { kind: "namespaced", name: kind } : { kind: kind as TemplateScope["kind"], name };
}

/**
 * Finds the template that `holder` refers to, and merges it over `templateDefaults`.
 * @throws {TemplateNotFoundError} if it does not exist or its type is unknown.
 */
export function resolveTemplate(
  pass: Slice<StatusDraft>,
  holder: TemplateHolder,
  scope: TemplateScope,
): ResolvedTemplate {
  const key = storageKey(holder, scope);
  let template = key === undefined ? undefined : pass.draft.workflow.status?.storedTemplates?.[key];
  if (!template) {
    template = findTemplate(pass, holder, scope);
    if (key !== undefined) storeTemplate(pass, key, template);
  }
  const innerScope = referenceScope(holder.templateRef) ?? scope;
  if (templateType(template) === undefined) {
    throw new TemplateNotFoundError(`template '${template.name ?? ""}' type is unknown`);
  }
  return { template: withTemplateDefaults(template, pass.draft.spec.templateDefaults), scope: innerScope };
}

function referenceScope(ref: TemplateRef | undefined): TemplateScope | undefined {
  if (!ref) return undefined;
  return { kind: ref.clusterScope ? "cluster" : "namespaced", name: ref.name ?? "" };
}

/**
 * The key in `storedTemplates`. Undefined for templates that are not stored: those of the workflow itself, and inline
 * ones, which are part of the stored template around them. Argo stores inline templates under the name of their step
 * alone, so several may share a key: those entries are not read.
 */
function storageKey(holder: TemplateHolder, scope: TemplateScope): string | undefined {
  const ref = holder.templateRef;
  if (ref) return `${ref.clusterScope ? "cluster" : "namespaced"}/${ref.name}/${ref.template}`;
  if (holder.inline || scope.kind === "local") return undefined;
  return `${formatScope(scope)}/${holder.template ?? ""}`;
}

function storeTemplate(pass: Slice<StatusDraft>, key: string, template: Template): void {
  const stored = pass.draft.workflow.status?.storedTemplates;
  if (stored?.[key]) return;
  pass.draft.setStatus({ storedTemplates: { ...stored, [key]: template } });
}

/** Returns these templates and all inline templates in them, at any depth. */
export function withInlineTemplates(templates: readonly Template[]): Template[] {
  const all = [...templates];
  for (const template of all) {
    for (const { inline } of callsIn(template)) if (inline) all.push(inline);
  }
  return all;
}

function findTemplate(pass: Slice, holder: TemplateHolder, scope: TemplateScope): Template {
  if (holder.inline) return holder.inline;
  const source = referenceScope(holder.templateRef) ?? scope;
  const name = holder.templateRef ? holder.templateRef.template ?? "" : holder.template ?? "";
  const spec = specOf(pass, source);
  const found = spec.templates?.find((template) => template.name === name) ??
    (source.kind === "local" ? storedByName(pass, name) : undefined);
  if (!found) {
    const where = source.kind === "local" ? "" : ` in workflow template ${source.name}`;
    throw new TemplateNotFoundError(`template ${name} not found${where}`);
  }
  return withPodMetadata(found, spec.podMetadata);
}

function storedByName(pass: Slice, name: string): Template | undefined {
  return Object.values(pass.draft.workflow.status?.storedTemplates ?? {}).find((template) => template.name === name);
}

function specOf(pass: Slice, scope: TemplateScope): WorkflowSpec {
  if (scope.kind === "local") return pass.draft.spec;
  const source = scope.kind === "cluster"
    ? pass.facts.clusterWorkflowTemplate(scope.name)
    : pass.facts.workflowTemplate(scope.name);
  if (isProblem(source)) throw new TemplateNotFoundError(source.message);
  if (!source) throw new TemplateNotFoundError(`workflow template ${scope.name} not found`);
  return source.spec;
}

function withPodMetadata(template: Template, podMetadata: WorkflowSpec["podMetadata"]): Template {
  if (!podMetadata?.labels && !podMetadata?.annotations) return template;
  const merged = {
    ...template,
    metadata: {
      ...template.metadata,
      labels: { ...podMetadata.labels, ...template.metadata?.labels },
      annotations: { ...podMetadata.annotations, ...template.metadata?.annotations },
    },
  };
  return recordMerged(merged, template, { metadata: podMetadata });
}

/** Merges the template over the defaults. Blocks of the defaults for other template types are ignored. */
function withTemplateDefaults(template: Template, defaults: Template | undefined): Template {
  if (!defaults) return template;
  const type = templateType(template);
  const applicable = Object.fromEntries(
    Object.entries(defaults).filter(([field]) => field === type || !isTemplateType(field)),
  );
  return recordMerged(applyStrategicMergePatch(applicable, template, "Template") as Template, template, applicable);
}
