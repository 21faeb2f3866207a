/** The template of a node, as the workflow itself holds it. */
import type { NodeStatus, Template, Workflow } from "../api/mod.ts";
import { callerOfDisplayName } from "./names.ts";
import { templateNameOf } from "./node_state.ts";

/**
 * The template that a node runs, unprocessed: from the templates that the workflow has stored, else from its own, or from
 * the call, where it stands in that. Undefined where none has it.
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

/** A template that stands in the step or task that the node came from. */
function inlineTemplateOf(workflow: Workflow, node: NodeStatus): Template | undefined {
  const boundary = workflow.status?.nodes?.[node.boundaryID ?? ""];
  const parent = boundary && storedTemplateOf(workflow, boundary);
  const name = callerOfDisplayName(node.displayName);
  const calls = [...parent?.steps?.flat() ?? [], ...parent?.dag?.tasks ?? []];
  return calls.find((call) => call.name === name)?.inline;
}

/** The key of a node's template in `storedTemplates`; undefined for a template of the workflow itself. */
function storedTemplateKey({ templateRef, templateName, templateScope = "" }: NodeStatus): string | undefined {
  if (templateRef) {
    return `${templateRef.clusterScope ? "cluster" : "namespaced"}/${templateRef.name}/${templateRef.template}`;
  }
  if (templateScope === "" || templateScope.startsWith("local/")) return undefined;
  const scope = templateScope.includes("/") ? templateScope : `namespaced/${templateScope}`;
  return `${scope}/${templateName ?? ""}`;
}
