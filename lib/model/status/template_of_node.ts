/** Finds the template of a node in its workflow. */
import type { NodeStatus, Template, Workflow } from "../api/mod.ts";
import { callerOfDisplayName } from "./names.ts";
import { templateNameOf } from "./node_state.ts";
import { callsIn } from "../templates/calls.ts";

/**
 * Returns the unprocessed template of a node: from the workflow's stored templates, else from its own, or the inline
 * template of its call. Undefined when it is not found.
 */
export function storedTemplateOf(workflow: Workflow, node: NodeStatus): Template | undefined {
  const { spec, status } = workflow;
  const stored = status?.storedTemplates;
  const key = storedTemplateKey(node);
  const found = key === undefined ? undefined : stored?.[key];
  if (found) return found;
  const name = templateNameOf(node);
  if (name === "") return inlineTemplateOf(workflow, node);
  const own = [...status?.storedWorkflowTemplateSpec?.templates ?? [], ...spec.templates ?? []];
  return own.find((template) => template.name === name) ??
    Object.values(stored ?? {}).find((template) => template.name === name);
}

/** Returns the inline template of a node's step or task. */
function inlineTemplateOf(workflow: Workflow, node: NodeStatus): Template | undefined {
  const boundary = workflow.status?.nodes?.[node.boundaryID ?? ""];
  const parent = boundary && storedTemplateOf(workflow, boundary);
  const name = callerOfDisplayName(node.displayName);
  return callsIn(parent ?? {}).find((call) => call.name === name)?.inline;
}

/** Returns the key of a node's template in `storedTemplates`; undefined for a template of the workflow itself. */
function storedTemplateKey({ templateRef, templateName, templateScope = "" }: NodeStatus): string | undefined {
  if (templateRef) {
    return `${templateRef.clusterScope ? "cluster" : "namespaced"}/${templateRef.name}/${templateRef.template}`;
  }
  if (templateScope === "" || templateScope.startsWith("local/")) return undefined;
  const scope = templateScope.includes("/") ? templateScope : `namespaced/${templateScope}`;
  return `${scope}/${templateName ?? ""}`;
}
