/**
 * The outcome of a reference without a value: it may still get one, a declared default replaces it, or it never gets
 * one.
 */
import type { NodeStatus, Template } from "@tiphys/model/api";
import { isFulfilled, isOver } from "@tiphys/model/status";
import type { ReferenceRoot } from "./scope.ts";

/** The outcome of a reference without a value. `reason` explains why it never gets one. */
export type ReferenceOutcome =
  | { readonly kind: "later" }
  | { readonly kind: "value"; readonly value: string }
  | { readonly kind: "never"; readonly reason: string };

/** The step or task to which a reference refers. `template` returns undefined if it does not exist. */
export interface Producer {
  /** Undefined before its start. For a loop, the node that ends with its last call. */
  readonly node: NodeStatus | undefined;
  readonly isLoop: boolean;
  readonly template: () => Template | undefined;
}

/** The prefix of the names of outputs with a `globalName`. */
export const GLOBAL_OUTPUTS_PREFIX = "workflow.outputs";

/** The reason why a global output has no value. */
export const NOT_EXPORTED = "no step or task that has ended exported this output";

/**
 * Returns the outcome of a reference. `find` returns the producer, or the reason why the steps or task may not refer to
 * it.
 */
export function outcomeOfReference(
  root: ReferenceRoot,
  name: string,
  find: (member: string) => Producer | string,
): ReferenceOutcome {
  if (name.startsWith(GLOBAL_OUTPUTS_PREFIX)) return { kind: "never", reason: NOT_EXPORTED };
  const [, own, member, field = ""] = /^(steps|tasks)\.([^.]+)(?:\.(.+))?$/.exec(name) ?? [];
  if (own === undefined || member === undefined) return { kind: "never", reason: `${name} has no value` };
  if (own !== root) {
    return { kind: "never", reason: `${root === "tasks" ? "a task" : "a step"} can refer to ${root} only` };
  }
  const producer = find(member);
  if (typeof producer === "string") return { kind: "never", reason: producer };
  const { node, isLoop } = producer;
  if (!node || !isFulfilled(node)) return { kind: "later" };
  // A running daemon may get its address late.
  if (!isOver(node) && (field === "ip" || field === "hostNodeName")) return { kind: "later" };
  const parameter = /^outputs\.parameters\.(.+)$/.exec(field)?.[1];
  const value = parameter === undefined
    ? undefined
    : producer.template()?.outputs?.parameters?.find(({ name }) => name === parameter)?.valueFrom?.default;
  if (value !== undefined) return { kind: "value", value };
  const output = parameter === undefined ? field.replace(/^outputs\./, "") : `output ${parameter}`;
  const reason = isLoop
    ? `no call of ${root}.${member} succeeded with ${/^[aeiou]/.test(output) ? "an" : "a"} ${output}`
    : `${root}.${member} ${PHASE_TEXTS[node.phase ?? "Running"]} and has no ${output}`;
  return { kind: "never", reason };
}

const PHASE_TEXTS: Readonly<Record<NonNullable<NodeStatus["phase"]>, string>> = {
  Pending: "is pending",
  Running: "is running",
  Succeeded: "succeeded",
  Skipped: "was skipped",
  Omitted: "was omitted",
  Failed: "failed",
  Error: "errored",
};
