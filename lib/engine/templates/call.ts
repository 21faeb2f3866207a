/** The call of a template, and its outcome: the types that the files of this folder exchange. */
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
  /** The kind of the caller: the name of a step is `{{steps.name}}`, that of a task `{{tasks.name}}`. */
  readonly caller?: "step" | "task";
  readonly scope: TemplateScope;
  readonly arguments?: Arguments;
  readonly boundaryId?: string;
  /** Whether it is part of an exit handler, which Stop does not stop. */
  readonly onExit?: boolean;
  readonly flag?: NodeFlag;
  /** The values of the callers for tags in the workflow's volumes. */
  readonly volumeScope?: VolumeScope;
  /** The time by which pods must have ended (`retryStrategy.backoff.maxDuration`), in milliseconds since the epoch. */
  readonly mustEndBy?: number;
}

/** The outcome of a call. `waiting`: it cannot continue now, as a limit is reached; its node may not exist yet. */
export type Outcome =
  | { readonly kind: "node"; readonly node: NodeStatus }
  | { readonly kind: "waiting"; readonly node?: NodeStatus }
  | { readonly kind: "tooDeep"; readonly node: NodeStatus }
  | { readonly kind: "timeout"; readonly node: NodeStatus }
  | { readonly kind: "error"; readonly node: NodeStatus; readonly message: string };

/** A call that is ready to run: its template with arguments, and the properties of its new node. */
export interface ReadyCall extends Call {
  readonly template: Template;
  readonly type: TemplateType;
  /** The scope in which template names inside the template are looked up. */
  readonly innerScope: TemplateScope;
  /** The result of the lookup in the memoization cache, which is shown on the call's nodes. */
  readonly memo?: MemoizationStatus | undefined;
}

/** Adds the node of a call. A node of that name must not exist. */
export function addCallNode(
  pass: Slice<NodesDraft>,
  { nodeName, holder, scope, boundaryId, flag, template, memo }: ReadyCall,
  kind: Pick<NewNode, "type" | "phase" | "expectsReport">,
): NodeStatus {
  return addNewNode(pass, { name: nodeName, holder, scope, boundaryId, flag, template, memo, ...kind });
}

/** Adds the Pending node of a call that may not start yet, with its final type. */
export function addWaitingNode(pass: Slice<NodesDraft>, call: ReadyCall): NodeStatus {
  const type = retryStrategyOf(pass, call.template) ? "Retry" : TEMPLATE_TYPES[call.type].node;
  const expectsReport = type === "Pod" && !call.template.daemon;
  return addCallNode(pass, call, { type, phase: "Pending", ...(expectsReport && { expectsReport }) });
}

/**
 * Returns the node of a call whose template starts to run or is running: adds it, or marks a Pending one as Running.
 */
export function ensureRunningNode(
  pass: Slice<NodesDraft>,
  call: ReadyCall,
  type: "Steps" | "DAG" | "Retry",
): NodeStatus {
  const existing = pass.draft.nodes.byName(call.nodeName);
  if (!existing) return addCallNode(pass, call, { type, phase: "Running" });
  return existing.phase === "Pending" ? pass.draft.mark(existing.id, "Running", "") : existing;
}

/** Runs a call of the pass. Steps, DAGs and hooks receive it as an argument, because it leads back to them. */
export type Execute = (call: Call) => Outcome;

/** The retry strategy of a template: its own, otherwise that of the workflow. */
export function retryStrategyOf(pass: Slice, template: Template): Template["retryStrategy"] {
  return template.retryStrategy ?? pass.draft.spec.retryStrategy;
}

/** The name of the pod of a call. */
export function podNameOfCall(pass: Slice, nodeName: string, template: Template): string {
  return podNameFor(pass, nodeName, template.name ?? "");
}
