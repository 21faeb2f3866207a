/** New nodes of the status. */
import { UserError } from "@tiphys/base/user_error";
import type { MemoizationStatus, NodeFlag, NodePhase, NodeStatus, NodeType, Template } from "@tiphys/model/api";
import { ANNOTATION } from "@tiphys/base/constants";
import { LIMITS, shortened } from "@tiphys/base/limits";
import { displayNodeName, isFulfilled, timeText } from "@tiphys/model/status";
import { isDisplayName } from "@tiphys/language/template";
import { fieldsSize, nodeSize } from "./node_size.ts";
import { nodeEstimate } from "../whole/estimate.ts";
import type { Pass } from "../pass.ts";
import { formatScope, type TemplateHolder, type TemplateScope } from "../spec/templates.ts";

/** The properties of a node that is to be added. */
export interface NewNode {
  readonly name: string;
  readonly type: NodeType;
  readonly phase: NodePhase;
  readonly holder: TemplateHolder;
  /** The scope from which the template was looked up. */
  readonly scope: TemplateScope;
  readonly boundaryId?: string;
  readonly flag?: NodeFlag;
  readonly message?: string;
  /** The processed template, for nodes that run one: its inputs are recorded. */
  readonly template?: Template;
  /** The result of looking the call up in its cache of memoization, for a call that was looked up. */
  readonly memo?: MemoizationStatus | undefined;
  /** The node is a pod that reports: it is not over before its report is in. */
  readonly reports?: boolean;
}

/** Adds a node to the status; there must be none of that name. */
export function addNewNode(pass: Pass, spec: NewNode): NodeStatus {
  const id = pass.draft.nodes.idOf(spec.name);
  if (pass.draft.nodes.typeOf(id)) throw new Error(`Node ${spec.name} exists already`);
  const boundaryName = spec.boundaryId ? pass.draft.nodes.nameOf(spec.boundaryId) : undefined;
  const now = timeText(pass.facts.now);
  const inputs = spec.template?.inputs;
  const leftover = pass.facts.leftovers.get(id);
  const node: NodeStatus = {
    id,
    name: spec.name,
    displayName: ownDisplayName(spec.template) ?? displayNodeName(spec.name, boundaryName),
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
    ...(spec.reports ? { taskResultSynced: true } : {}),
    ...(leftover ? { restartingPodUID: leftover.metadata.uid } : {}),
  };
  checkSize(spec.name, fieldsSize(node.inputs));
  pass.allowance.takeNode(`node ${shortened(spec.name)}`, nodeSize(node));
  return pass.draft.add(isFulfilled(node) ? { ...node, finishedAt: now } : node);
}

/** The message of Argo, word for word. */
const BAD_DISPLAY_NAME = "displayName must match the regex ^[a-zA-Z0-9][a-zA-Z0-9-.]{0,61}[a-zA-Z0-9]$";

/**
 * The name that a template gives its nodes for people, tags filled in.
 * @throws {UserError} when it is not fit to be one.
 */
function ownDisplayName(template: Template | undefined): string | undefined {
  const name = template?.annotations?.[ANNOTATION.displayName];
  if (name === undefined || isDisplayName(name)) return name;
  throw new UserError(BAD_DISPLAY_NAME);
}

function checkSize(name: string, bytes: number): void {
  if (bytes <= LIMITS.nodeBytes) return;
  throw new UserError(`the inputs of node ${shortened(name)} take ${bytes} bytes, and may take ${LIMITS.nodeBytes}`);
}

/** A node for something that could not even start; or the error on the node that is there already. */
export function addErrorNode(pass: Pass, spec: Omit<NewNode, "type" | "phase">, message: string): NodeStatus {
  const existing = pass.draft.nodes.byName(spec.name);
  if (existing) return pass.draft.markError(existing.id, message);
  return addNewNode(pass, { ...spec, type: "Skipped", phase: "Error", message, template: undefined });
}
