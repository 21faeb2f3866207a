/** Objects as Argo's server sends them: with the fields that Go's JSON encoder always writes. */
import { inTurns } from "@tiphys/base/turns";
import type { Workflow } from "@tiphys/model/api";
import { goJsonStages, MESSAGES, toGoJson } from "@tiphys/proto";
import type { KubeObject } from "@tiphys/kube";
import { isOnlyWaiting } from "@tiphys/model/status";
import type { FieldMask } from "./field_mask.ts";

/**
 * Returns an object of one of Argo's kinds with all fields that clients rely on, and without a `creationTimestamp` of
 * null: the API server writes that in the response of a dry run.
 */
export function presentObject<T extends KubeObject>(kind: string, object: T): T {
  const type = MESSAGES.get(`argo.${kind}`);
  return withoutNullTime(type ? toGoJson(type, object) : object);
}

/** Presents a workflow in stages, if it is large: meanwhile, other requests of the caller's thread are handled. */
export async function presentInStages(workflow: Workflow, key: string): Promise<Workflow> {
  return withoutNullTime(await inTurns(goJsonStages(MESSAGES.get("argo.Workflow")!, workflow), key));
}

function withoutNullTime<T extends KubeObject>(shown: T): T {
  if (shown.metadata.creationTimestamp || !("creationTimestamp" in shown.metadata)) return shown;
  const { creationTimestamp: _, ...metadata } = shown.metadata;
  return { ...shown, metadata };
}

/** Returns a workflow with all fields that clients rely on. */
export function presentWorkflow(workflow: Workflow): Workflow {
  return presentObject("Workflow", workflow);
}

/** Whether workflows only wait, cached because the same objects are sent to many clients. */
const waits = new WeakMap<Workflow, boolean>();

/** Adds the field `status.waitsOnly`, for clients that request it: lists of runs contain no nodes. */
export function withWaitsOnly(workflow: Workflow): Workflow {
  const isWaiting = waits.get(workflow) ?? isOnlyWaiting(workflow);
  waits.set(workflow, isWaiting);
  const shown = presentWorkflow(workflow);
  return isWaiting ? { ...shown, status: { ...shown.status, waitsOnly: true } as Workflow["status"] } : shown;
}

/** Omits a `suspend` that is false from a cron workflow. */
export function presentCronWorkflow(object: KubeObject): KubeObject {
  const { spec } = object as KubeObject & { readonly spec?: Readonly<Record<string, unknown>> };
  if (spec?.suspend !== false) return object;
  const { suspend: _, ...rest } = spec;
  return { ...object, spec: rest } as KubeObject;
}

/**
 * Returns a list: `items` is null when it is empty. `continue`, which the API server leaves empty on the last page, is
 * omitted.
 */
export function presentList<T>(items: readonly T[], metadata: Readonly<Record<string, unknown>>) {
  const { continue: next, ...rest } = metadata;
  return { metadata: next ? metadata : rest, items: items.length === 0 ? null : items };
}

/** Applies a mask to a list. `items` and `metadata` are always present, because clients rely on them. */
export function maskedList(mask: FieldMask, list: ReturnType<typeof presentList>) {
  return { metadata: {}, items: null, ...mask.apply(list) as Partial<typeof list> };
}

/** Applies a mask to a workflow. Fields that Go's JSON encoder always writes remain: typed clients require a `spec`. */
export function maskedWorkflow(mask: FieldMask, workflow: Workflow): Workflow {
  return presentWorkflow(mask.apply(workflow) as Workflow);
}

/** Applies a mask to a list of workflows. Fields that Go's JSON encoder always writes remain. */
export function maskedWorkflows(mask: FieldMask, list: ReturnType<typeof presentList<Workflow>>) {
  const { items, metadata } = maskedList(mask, list);
  return { metadata, items: items === null ? null : (items as Workflow[]).map(presentWorkflow) };
}
