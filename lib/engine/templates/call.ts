/** A call of a template by another one, and how it went: what passes between the files of the engine. */
import type { Arguments, MemoizationStatus, NodeFlag, NodeStatus, Template } from "@tiphys/model/api";
import { TEMPLATE_TYPES, type TemplateType } from "@tiphys/model/templates";
import type { NodesDraft, Slice } from "../slice.ts";
import { addNewNode, type NewNode } from "../nodes/new_node.ts";
import { podNameFor } from "../spec/pod_name.ts";
import type { TemplateHolder, TemplateScope } from "../spec/templates.ts";
import type { VolumeScope } from "../spec/volumes.ts";

/** A call of a template. */
export interface Call {
  readonly nodeName: string;
  readonly holder: TemplateHolder;
  /** The kind of the caller: a step knows its own name as `{{steps.name}}`, a task as `{{tasks.name}}`. */
  readonly caller?: "step" | "task";
  readonly scope: TemplateScope;
  readonly arguments?: Arguments;
  readonly boundaryId?: string;
  /** Part of an exit handler: a Stop does not stop it. */
  readonly onExit?: boolean;
  readonly flag?: NodeFlag;
  /** The values that the callers offer to tags in the workflow's volumes. */
  readonly volumeScope?: VolumeScope;
  /** Milliseconds since 1970 by which pods must have ended (retryStrategy.backoff.maxDuration). */
  readonly mustEndBy?: number;
}

/** The outcome of a call. `waiting`: it cannot go on now, because a limit is reached; the node may or may not exist. */
export type Outcome =
  | { readonly kind: "node"; readonly node: NodeStatus }
  | { readonly kind: "waiting"; readonly node?: NodeStatus }
  | { readonly kind: "tooDeep"; readonly node: NodeStatus }
  | { readonly kind: "timeout"; readonly node: NodeStatus }
  | { readonly kind: "error"; readonly node: NodeStatus; readonly message: string };

/** A template ready to run: found, its arguments filled in, and all that a new node of it needs. */
export interface ReadyCall extends Call {
  readonly template: Template;
  readonly type: TemplateType;
  /** The scope in which the names that the template itself uses are looked up. */
  readonly innerScope: TemplateScope;
  /** The result of looking the call up in its cache of memoization: its nodes show it. */
  readonly memo?: MemoizationStatus | undefined;
}

/** Adds the node of a call; there must be none of its name. */
export function addNodeOfCall(
  pass: Slice<NodesDraft>,
  { nodeName, holder, scope, boundaryId, flag, template, memo }: ReadyCall,
  kind: Pick<NewNode, "type" | "phase" | "reports">,
): NodeStatus {
  return addNewNode(pass, { name: nodeName, holder, scope, boundaryId, flag, template, memo, ...kind });
}

/** Adds the node of a call that cannot begin yet, as it will be. */
export function addWaitingNode(pass: Slice<NodesDraft>, call: ReadyCall): NodeStatus {
  const type = retryStrategyOf(pass, call.template) ? "Retry" : TEMPLATE_TYPES[call.type].node;
  const reports = type === "Pod" && !call.template.daemon;
  return addNodeOfCall(pass, call, { type, phase: "Pending", ...(reports && { reports }) });
}

/** The node of a call whose template runs from now on: a new one, or one that has waited. */
export function runningNode(pass: Slice<NodesDraft>, call: ReadyCall, type: "Steps" | "DAG" | "Retry"): NodeStatus {
  const existing = pass.draft.nodes.byName(call.nodeName);
  if (!existing) return addNodeOfCall(pass, call, { type, phase: "Running" });
  return existing.phase === "Pending" ? pass.draft.mark(existing.id, "Running", "") : existing;
}

/** Runs a call of the pass. Steps, DAGs and hooks receive it as an argument, because it leads back to them. */
export type Execute = (call: Call) => Outcome;

/** The retry strategy that holds for a template: its own, or that of the workflow. */
export function retryStrategyOf(pass: Slice, template: Template): Template["retryStrategy"] {
  return template.retryStrategy ?? pass.draft.spec.retryStrategy;
}

/** The name of the pod that a call makes. */
export function podNameOf(pass: Slice, nodeName: string, template: Template): string {
  return podNameFor(pass, nodeName, template.name ?? "");
}
