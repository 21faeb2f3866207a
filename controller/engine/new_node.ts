/** How a node comes into the status. */
import type { NodeFlag, NodePhase, NodeStatus, NodeType, Template } from "../../lib/api/mod.ts";
import { displayNodeName } from "../../lib/template/mod.ts";
import { ANNOTATION } from "../../lib/constants.ts";
import { isFulfilled } from "./node_state.ts";
import type { Pass } from "./pass.ts";
import { formatScope, type TemplateHolder, type TemplateScope } from "./templates.ts";
import { formatTime } from "./time.ts";

/** What a new node is made from. */
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
  /** The node is a pod that reports: it is not over before its report is in. */
  readonly reports?: boolean;
}

/** Adds a node to the status; there must be none of that name. */
export function addNewNode(pass: Pass, spec: NewNode): NodeStatus {
  const id = pass.nodes.idOf(spec.name);
  if (pass.nodes.get(id)) throw new Error(`Node ${spec.name} exists already`);
  const boundary = spec.boundaryId ? pass.nodes.get(spec.boundaryId) : undefined;
  const now = formatTime(pass.now);
  const inputs = spec.template?.inputs;
  const leftover = pass.leftovers.get(id);
  const node: NodeStatus = {
    id,
    name: spec.name,
    displayName: spec.template?.annotations?.[ANNOTATION.displayName] ?? displayNodeName(spec.name, boundary?.name),
    type: spec.type,
    ...(spec.holder.template ? { templateName: spec.holder.template } : {}),
    ...(spec.holder.templateRef ? { templateRef: spec.holder.templateRef } : {}),
    templateScope: formatScope(spec.scope),
    phase: spec.phase,
    ...(spec.boundaryId ? { boundaryID: spec.boundaryId } : {}),
    ...(spec.flag ? { nodeFlag: spec.flag } : {}),
    ...(spec.message ? { message: spec.message } : {}),
    startedAt: now,
    ...(inputs?.parameters?.length || inputs?.artifacts?.length ? { inputs } : {}),
    ...(spec.reports ? { taskResultSynced: true } : {}),
    ...(leftover ? { restartingPodUID: leftover.metadata.uid } : {}),
  };
  return pass.nodes.set(isFulfilled(node) ? { ...node, finishedAt: now } : node);
}

/** A node for something that could not even start; or the error on the node that is there already. */
export function addErrorNode(pass: Pass, spec: Omit<NewNode, "type" | "phase">, message: string): NodeStatus {
  const existing = pass.nodes.byName(spec.name);
  if (existing) return pass.markError(existing.id, message);
  return addNewNode(pass, { ...spec, type: "Skipped", phase: "Error", message, template: undefined });
}
