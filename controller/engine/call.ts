/** What passes between the files of the engine when one template runs another: the call and how it went. */
import type { Arguments, NodeFlag, NodeStatus, Template } from "../../lib/api/mod.ts";
import type { Pass } from "./pass.ts";
import { podNameFor } from "./pod_name.ts";
import type { TemplateHolder, TemplateScope } from "./templates.ts";
import type { TemplateType } from "./template_type.ts";

/** A call of a template. */
export interface Call {
  readonly nodeName: string;
  readonly holder: TemplateHolder;
  /** Who calls: a step and a task know their own names as `{{steps.name}}` and `{{tasks.name}}`. */
  readonly caller?: "step" | "task";
  readonly scope: TemplateScope;
  readonly arguments?: Arguments;
  readonly boundaryId?: string;
  /** Part of an exit handler: a Stop does not stop it. */
  readonly onExit?: boolean;
  readonly flag?: NodeFlag;
  /** Milliseconds since 1970 by which pods must have ended (retryStrategy.backoff.maxDuration). */
  readonly mustEndBy?: number;
}

/** How a call went. `waiting` is "not now": a limit is reached; the node may or may not exist. */
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
}

/** Runs a call; steps, DAGs and hooks get this handed in, as it leads back to them. */
export type Execute = (pass: Pass, call: Call) => Outcome;

/** The retry strategy that holds for a template: its own, or that of the workflow. */
export function retryStrategyOf(pass: Pass, template: Template): Template["retryStrategy"] {
  return template.retryStrategy ?? pass.spec.retryStrategy;
}

/** The name of the pod that a call makes. */
export function podNameOf(pass: Pass, nodeName: string, template: Template): string {
  return podNameFor(pass, nodeName, template.name ?? "");
}
