/**
 * Retries: a node of type Retry is the parent of its attempts. Each pass checks the last attempt and decides whether
 * the Retry node has ended, waits, or starts another attempt.
 */
import { UserError } from "@tiphys/base/user_error";
import { intOrStringToInt32 } from "@tiphys/base/go";
import type { NodeStatus, RetryStrategy, Template } from "@tiphys/model/api";
import { evaluateCondition, retryScope, substituteParameters } from "@tiphys/language/template";
import { isTransientMessage } from "@tiphys/base/transient";
import {
  attemptNodeName,
  attemptsOf,
  isDaemoned,
  isFailure,
  isFulfilled,
  isOver,
  millisOf,
  secondsBetween,
  timeText,
} from "@tiphys/model/status";
import { isPodType } from "@tiphys/model/templates";
import { argoDurationMillis, humanDuration, readField } from "../duration.ts";
import { ensureRunningNode, type Outcome, podNameOfCall, type ReadyCall, retryStrategyOf } from "./call.ts";
import { NO_MORE_RETRIES } from "./failure_message.ts";
import { addErrorNode } from "../nodes/new_node.ts";
import type { NodesDraft, Slice } from "../slice.ts";
import { userErrorMessage } from "../user_error.ts";

/** Runs a call whose template or workflow has a retry strategy. */
export function runWithRetries(
  pass: Slice<NodesDraft>,
  call: ReadyCall,
  run: (call: ReadyCall) => Outcome,
): Outcome {
  const strategy = retryStrategyOf(pass, call.template)!;
  const retryNode = ensureRunningNode(pass, call, "Retry");

  const decision = decideRetry(pass, retryNode, call.template);
  if (decision.kind === "ended" || decision.kind === "wait") return { kind: "node", node: decision.node };

  const attempts = attemptsOf(decision.node, pass.draft.nodes);
  const last = attempts.at(-1);
  const running = last !== undefined && !isOver(last);
  const attempt = running ? attempts.length - 1 : attempts.length;
  const name = running ? last.name : attemptNodeName(call.nodeName, attempt);

  const ready = {
    ...call,
    nodeName: name,
    template: attemptTemplate(pass, call, name, attempt, last),
    flag: { ...call.flag, retried: true },
    mustEndBy: decision.mustEndBy,
  };
  let outcome: Outcome;
  try {
    outcome = run(ready);
  } catch (error) {
    outcome = addFailedAttempt(pass, ready, error);
  }
  const created = running ? undefined : pass.draft.nodes.byName(name);
  if (created) pass.draft.addChild(retryNode.id, created.id);
  if (outcome.kind === "error" && !retriesErrors(strategy)) return outcome;
  return afterAttempt(pass, call, retryNode.id, outcome);
}

/** Adds the node of an attempt that a user error ended before it had one. */
function addFailedAttempt(pass: Slice<NodesDraft>, call: ReadyCall, error: unknown): Outcome {
  const message = userErrorMessage(error);
  const { nodeName, holder, scope, boundaryId, flag } = call;
  const node = addErrorNode(pass, { name: nodeName, holder, scope, boundaryId, flag }, message);
  return { kind: "error", node, message };
}

/** Whether a Retry node has ended, waits, or starts another attempt or continues the running one. */
type RetryDecision =
  | { readonly kind: "ended"; readonly node: NodeStatus }
  | { readonly kind: "wait"; readonly node: NodeStatus }
  | { readonly kind: "start"; readonly node: NodeStatus; readonly mustEndBy?: number };

function decideRetry(pass: Slice<NodesDraft>, node: NodeStatus, template: Template): RetryDecision {
  const strategy = retryStrategyOf(pass, template)!;
  const attempts = attemptsOf(node, pass.draft.nodes);
  const last = attempts.at(-1);
  if (!last) return { kind: "start", node };

  if (!isOver(last)) {
    if (!isDaemoned(last)) return { kind: "start", node };
    const marked = pass.draft.mark(node.id, last.phase!);
    return { kind: "ended", node: pass.draft.update(marked.id, { daemoned: true }) };
  }
  const end = (phase: NodeStatus["phase"], message?: string): RetryDecision => {
    pass.draft.mark(node.id, phase!, message);
    return { kind: "ended", node: pass.draft.update(node.id, { outputs: last.outputs, daemoned: undefined }) };
  };
  if (!isFailure(last.phase)) return end("Succeeded", "");

  if (pass.shutdown) return end(last.phase, `Stopped with strategy '${pass.shutdown}'`);
  if (pass.isPastDeadline) {
    const deadline = timeText(new Date(Math.max(pass.deadline!, 0))).replace("T", " ").replace("Z", " +0000 UTC");
    return end(last.phase, `retry exceeded workflow deadline ${deadline}`);
  }

  const wait = ({ until, message }: BackoffDecision & { readonly kind: "wait" }): RetryDecision => {
    pass.requestPassAt(until);
    return { kind: "wait", node: pass.draft.mark(node.id, node.phase!, message) };
  };
  const holder = template.retryStrategy ? template : "spec";
  const limit = readField(holder, "retryStrategy.limit", () => intOrStringToInt32(strategy.limit));
  const backoff = strategy.backoff && decideBackoff(pass, readBackoff(holder, strategy.backoff), attempts, limit);
  if (backoff?.kind === "end") return end(last.phase, backoff.message);
  // Without a limit, the last attempt ends the node immediately. With a limit, the node waits for the backoff first, as
  // in Argo.
  if (backoff?.kind === "wait" && limit !== undefined) return wait(backoff);
  if (!mayRetry(pass, strategy, last)) return end(last.phase, last.message ?? "");
  if (limit !== undefined && attempts.length > limit) return end(last.phase, NO_MORE_RETRIES);
  if (strategy.expression && !evaluateCondition(strategy.expression, retryScope(node, pass.draft.nodes))) {
    return end(last.phase, "retryStrategy.expression evaluated to false");
  }
  if (backoff?.kind === "wait") return wait(backoff);
  const next = backoff ? pass.draft.mark(node.id, node.phase!, "") : node;
  return { kind: "start", node: next, mustEndBy: backoff?.mustEndBy };
}

type BackoffDecision =
  | { readonly kind: "end"; readonly message: string }
  | { readonly kind: "wait"; readonly until: number; readonly message: string }
  | { readonly kind: "start"; readonly mustEndBy?: number };

/** The longest backoff in milliseconds (ten years): without a limit and a cap, it would grow indefinitely. */
const MAX_BACKOFF_MILLIS = 10 * 365 * 86_400_000;

/** The fields of a backoff as numbers. Durations are in milliseconds. */
interface Backoff {
  readonly duration: number;
  readonly factor: number;
  readonly cap?: number | undefined;
  readonly maxDuration?: number | undefined;
}

/** @throws {UserError} if a field is missing or invalid; the message names the field. */
function readBackoff(
  holder: Template | "spec",
  { duration, factor, cap, maxDuration }: NonNullable<RetryStrategy["backoff"]>,
): Backoff {
  const read = <Value>(field: string, value: () => Value) => readField(holder, `retryStrategy.backoff.${field}`, value);
  return {
    maxDuration: maxDuration ? read("maxDuration", () => argoDurationMillis(maxDuration)) : undefined,
    duration: read("duration", () => {
      if (duration) return argoDurationMillis(duration);
      throw new UserError("no base duration specified for retryStrategy");
    }),
    factor: read("factor", () => intOrStringToInt32(factor)) ?? 0,
    cap: cap ? read("cap", () => argoDurationMillis(cap)) : undefined,
  };
}

/**
 * Decides how long to wait. The wait grows by `factor` from the second retry on, up to `cap`. It also applies without a
 * `limit`, where Argo does not wait and creates pods as fast as they fail.
 */
function decideBackoff(
  pass: Slice,
  { duration, factor, cap, maxDuration }: Backoff,
  attempts: readonly NodeStatus[],
  limit: number | undefined,
): BackoffDecision {
  const now = pass.facts.now.getTime();
  let mustEndBy: number | undefined;
  if (maxDuration !== undefined) {
    mustEndBy = millisOf(attempts[0]?.startedAt) + maxDuration;
    if (now > mustEndBy) return { kind: "end", message: "Max duration limit exceeded" };
  }
  let wait = duration;
  if (factor > 0) wait = wait * factor ** (attempts.length - 1);
  if (cap !== undefined) wait = Math.min(wait, cap);
  wait = Math.min(wait, MAX_BACKOFF_MILLIS);
  const until = millisOf(attempts.at(-1)!.finishedAt) + wait;
  if (mustEndBy !== undefined && until > mustEndBy) {
    return { kind: "end", message: "Backoff would exceed max duration limit" };
  }
  if (now < until && (limit === undefined || attempts.length <= limit)) {
    return { kind: "wait", until, message: `Backoff for ${humanDuration(wait)}` };
  }
  return { kind: "start", mustEndBy };
}

function effectivePolicy({ retryPolicy, expression }: RetryStrategy): string {
  return retryPolicy ?? (expression ? "Always" : "OnFailure");
}

/** Whether the policy retries an attempt that could not be created. Otherwise, the call itself fails. */
function retriesErrors(strategy: RetryStrategy): boolean {
  return ["Always", "OnError", "OnTransientError"].includes(effectivePolicy(strategy));
}

function mayRetry({ facts: { config } }: Slice, strategy: RetryStrategy, last: NodeStatus): boolean {
  const policy = effectivePolicy(strategy);
  switch (policy) {
    case "Always":
      return true;
    case "OnFailure":
      return last.phase === "Failed";
    case "OnError":
      return last.phase === "Error";
    case "OnTransientError":
      return isTransientMessage(last.message ?? "", config.transientPattern);
    default:
      throw new UserError(`${policy} is not a valid RetryPolicy`);
  }
}

function attemptTemplate(
  pass: Slice,
  call: ReadyCall,
  name: string,
  attempt: number,
  last: NodeStatus | undefined,
): ReadyCall["template"] {
  const local = new Map([
    ["retries", String(attempt)],
    ["lastRetry.exitCode", last?.outputs?.exitCode ?? "0"],
    ["lastRetry.status", last?.phase ?? ""],
    ["lastRetry.duration", last ? String(secondsBetween(last.startedAt, last.finishedAt)) : "0"],
    ["lastRetry.message", last?.message ?? ""],
  ]);
  if (isPodType(call.type)) local.set("pod.name", podNameOfCall(pass, name, call.template));
  return substituteParameters(call.template, pass.draft.globals, local, pass.draft.globalsWithTags);
}

/** Updates the Retry node in the same pass as its attempt, so that the last attempt also ends the step. */
function afterAttempt(pass: Slice<NodesDraft>, call: ReadyCall, retryId: string, outcome: Outcome): Outcome {
  const retryNode = pass.draft.nodes.get(retryId)!;
  const attempt = outcome.node;
  if (!attempt) return { kind: "waiting", node: retryNode };
  if (isOver(attempt) && !isOver(retryNode)) {
    return attempt.id === retryId ? outcome : endOrRetryLater(pass, call, retryNode, outcome);
  }
  if (isDaemoned(attempt) && !isOver(attempt)) {
    pass.draft.mark(retryId, attempt.phase!);
    return { kind: "node", node: pass.draft.update(retryId, { daemoned: true }) };
  }
  if (outcome.kind === "timeout" || outcome.kind === "tooDeep") return { ...outcome, node: retryNode };
  return isFulfilled(attempt) || outcome.kind === "node"
    ? { kind: "node", node: retryNode }
    : { kind: "waiting", node: retryNode };
}

function endOrRetryLater(
  pass: Slice<NodesDraft>,
  call: ReadyCall,
  retryNode: NodeStatus,
  outcome: Outcome,
): Outcome {
  const decision = decideRetry(pass, retryNode, call.template);
  if (decision.kind === "start") {
    // Another attempt follows in the next pass, which is due now.
    pass.requestPassAt(pass.facts.now.getTime());
    return { kind: "node", node: decision.node };
  }
  return outcome.kind === "tooDeep" ? { ...outcome, node: decision.node } : { kind: "node", node: decision.node };
}
