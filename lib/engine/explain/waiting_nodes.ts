/** Nodes without a pod that wait for a person, a time or the next attempt. */
import type { NodeStatus, RetryStrategy } from "@tiphys/model/api";
import { intOrStringToInt32 } from "@tiphys/base/go";
import { attemptsOf, isOver, millisOf, storedTemplateOf, timeText } from "@tiphys/model/status";
import { durationMillis } from "./duration.ts";
import type { ExplainInput, NodeCheck } from "./explain_input.ts";
import { BY_ITSELF, reason } from "./reason.ts";

/** A suspended node, which waits for a person or a time. */
export const checkResume: NodeCheck = ({ workflow }, node) => {
  const name = workflow.metadata.name ?? "";
  const resume = `tiphys resume ${name} --node-field-selector id=${node.id}`;
  const duration = storedTemplateOf(workflow, node)?.suspend?.duration;
  const until = duration ? millisOf(node.startedAt) + durationMillis(duration) : NaN;
  const parts = { node: node.name, since: node.startedAt };
  if (duration) {
    const text = Number.isNaN(until) ? `suspended for ${duration}` : `suspended until ${timeText(new Date(until))}`;
    return [reason("Timer", { ...parts, text, until, unblock: resume })];
  }
  const requiredOutputs = (node.outputs?.parameters ?? []).filter(({ valueFrom }) => valueFrom?.supplied).map((
    { name },
  ) => name);
  const values = requiredOutputs.length ? `, with values for ${requiredOutputs.join(", ")}` : "";
  const text = `waits for approval of ${node.displayName ?? node.name}${values}: ${resume}`;
  const set = requiredOutputs.map((parameter) => `--output-parameter ${parameter}=VALUE`).join(" ");
  const first = requiredOutputs.length
    ? `tiphys node set ${name} --node-field-selector id=${node.id} ${set}, then `
    : "";
  return [reason("Person", { ...parts, text, unblock: `${first}${resume}` })];
};

/** A Retry node between two attempts. */
export const checkAttempt: NodeCheck = (input, node) => {
  const attempts = attemptsOf(node, input.nodes);
  const last = attempts.at(-1);
  if (!last || !isOver(last)) return [];
  const until = nextAttemptAt(input, node, attempts.length, last);
  const when = until === undefined || Number.isNaN(until) ? "" : ` at ${timeText(new Date(until))}`;
  const text = `attempt ${attempts.length}${when}${node.message ? `: ${node.message}` : ""}`;
  return [reason("Retry", { node: node.name, since: last.finishedAt, text, until, unblock: BY_ITSELF })];
};

function nextAttemptAt(
  { workflow, spec }: ExplainInput,
  node: NodeStatus,
  attempts: number,
  last: NodeStatus,
): number | undefined {
  const strategy: RetryStrategy | undefined = storedTemplateOf(workflow, node)?.retryStrategy ?? spec.retryStrategy;
  const { duration, factor, cap } = strategy?.backoff ?? {};
  if (!duration) return undefined;
  const times = intOrStringToInt32(factor) ?? 0;
  const wait = durationMillis(duration) * (times > 0 ? times ** (attempts - 1) : 1);
  return millisOf(last.finishedAt) + Math.min(wait, cap ? durationMillis(cap) : Infinity);
}
