/** Adds nodes to the status. */
import { UserError } from "@tiphys/base/user_error";
import type { MemoizationStatus, NodeFlag, NodePhase, NodeStatus, NodeType, Template } from "@tiphys/model/api";
import { ANNOTATION } from "@tiphys/base/constants";
import { LIMITS, shortened } from "@tiphys/base/limits";
import { displayNodeName, isFulfilled, timeText } from "@tiphys/model/status";
import { isDisplayName } from "@tiphys/language/template";
import { fieldsSize, nodeSize } from "./node_size.ts";
import { nodeEstimate } from "./estimate.ts";
import type { NodesDraft, Slice } from "../slice.ts";
import { formatScope, type TemplateHolder, type TemplateScope } from "../spec/templates.ts";

/** The properties of a new node. */
export interface NewNode {
  readonly name: string;
  readonly type: NodeType;
  readonly phase: NodePhase;
  readonly holder: TemplateHolder;
  /** The scope in which the template was found. */
  readonly scope: TemplateScope;
  readonly boundaryId?: string;
  readonly flag?: NodeFlag;
  readonly message?: string;
  /** The processed template, for nodes that run one. Its inputs are recorded. */
  readonly template?: Template;
  /** The result of the memoization lookup, if there was one. */
  readonly memo?: MemoizationStatus | undefined;
  /** Whether the node is a pod that reports, so that it ends only after its report. */
  readonly expectsReport?: boolean;
}

/** Adds a node to the status. No node with this name may exist. */
export function addNewNode(pass: Slice<NodesDraft>, spec: NewNode): NodeStatus {
  const id = pass.draft.nodes.idOf(spec.name);
  if (pass.draft.nodes.typeOf(id)) throw new Error(`Node ${spec.name} exists already`);
  const boundaryName = spec.boundaryId ? pass.draft.nodes.nameOf(spec.boundaryId) : undefined;
  const now = timeText(pass.facts.now);
  const inputs = spec.template?.inputs;
  const leftover = pass.facts.leftovers.get(id);
  const node: NodeStatus = {
    id,
    name: spec.name,
    displayName: displayNameFromTemplate(spec.template) ?? displayNodeName(spec.name, boundaryName),
    type: spec.type,
    ...(spec.holder.template ? { templateName: spec.holder.template } : {}),
    ...(spec.holder.templateRef ? { templateRef: spec.holder.templateRef } : {}),
    templateScope: formatScope(spec.scope),
    phase: spec.phase,
    ...(spec.boundaryId ? { boundaryID: spec.boundaryId } : {}),
    ...(spec.flag ? { nodeFlag: spec.flag } : {}),
    ...(spec.message ? { message: shortened(spec.message) } : {}),
    startedAt: now,
    ...nodeEstimate(pass, spec.name),
    ...(inputs?.parameters?.length || inputs?.artifacts?.length ? { inputs } : {}),
    ...(spec.memo ? { memoizationStatus: spec.memo } : {}),
    ...(spec.expectsReport ? { taskResultSynced: true } : {}),
    ...(leftover ? { restartingPodUID: leftover.metadata.uid } : {}),
  };
  checkInputsSize(spec.name, fieldsSize(node.inputs));
  pass.allowance.countNode(`node ${shortened(spec.name)}`, nodeSize(node));
  return pass.draft.add(isFulfilled(node) ? { ...node, finishedAt: now } : node);
}

/** Argo's message, word for word. */
const BAD_DISPLAY_NAME = "displayName must match the regex ^[a-zA-Z0-9][a-zA-Z0-9-.]{0,61}[a-zA-Z0-9]$";

/**
 * The display name that a template gives its nodes, with tags replaced.
 * @throws {UserError} if it is invalid.
 */
function displayNameFromTemplate(template: Template | undefined): string | undefined {
  const name = template?.annotations?.[ANNOTATION.displayName];
  if (name === undefined || isDisplayName(name)) return name;
  throw new UserError(BAD_DISPLAY_NAME);
}

function checkInputsSize(name: string, bytes: number): void {
  if (bytes <= LIMITS.nodeBytes) return;
  throw new UserError(`the inputs of node ${shortened(name)} take ${bytes} bytes; the maximum is ${LIMITS.nodeBytes}`);
}

/** Adds a node for something that could not start, or the error to the existing node. */
export function addErrorNode(
  pass: Slice<NodesDraft>,
  spec: Omit<NewNode, "type" | "phase">,
  message: string,
): NodeStatus {
  const existing = pass.draft.nodes.byName(spec.name);
  if (existing) return pass.draft.markError(existing.id, message);
  return addNewNode(pass, { ...spec, type: "Skipped", phase: "Error", message, template: undefined });
}
