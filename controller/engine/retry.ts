/**
 * Retries: a node of type Retry stands above its attempts. Each pass looks at the last attempt and says whether the
 * Retry node is over, whether to wait, or whether another attempt starts (features T-60 to T-67).
 */
import type { NodeStatus, RetryStrategy } from "../../lib/api/mod.ts";
import { evaluateCondition, retryScope, substituteParameters } from "../../lib/template/mod.ts";
import { isTransientMessage } from "../../lib/kube/mod.ts";
import { argoDurationMillis, humanDuration } from "./duration.ts";
import { type Outcome, podNameOf, type ReadyCall, retryStrategyOf } from "./call.ts";
import { intOf } from "./int_or_string.ts";
import { addNewNode } from "./new_node.ts";
import { isDaemoned, isFailure, isFulfilled, isOver } from "./node_state.ts";
import type { Pass } from "./pass.ts";
import { attemptsOf } from "./retry_children.ts";
import { isPodType } from "./template_type.ts";
import { formatTime, millisOf, secondsBetween } from "./time.ts";

/** Runs a call whose template (or workflow) has a retryStrategy. */
export function runWithRetries(
  pass: Pass,
  call: ReadyCall,
  run: (pass: Pass, call: ReadyCall) => Outcome,
): Outcome {
  const strategy = retryStrategyOf(pass, call.template)!;
  const retryNode = pass.nodes.byName(call.nodeName) ?? addNewNode(pass, {
    name: call.nodeName,
    type: "Retry",
    phase: "Running",
    holder: call.holder,
    scope: call.scope,
    boundaryId: call.boundaryId,
    flag: call.flag,
    template: call.template,
  });

  const verdict = judgeAttempts(pass, retryNode, strategy);
  if (verdict.kind === "over" || verdict.kind === "wait") return { kind: "node", node: verdict.node };

  const attempts = attemptsOf(pass, verdict.node);
  const last = attempts.at(-1);
  const running = last !== undefined && !isOver(last);
  const attempt = running ? attempts.length - 1 : attempts.length;
  const name = running ? last.name : `${call.nodeName}(${attempt})`;
  if (!running) pass.nodes.addChild(retryNode.id, pass.nodes.idOf(name));

  const outcome = run(pass, {
    ...call,
    nodeName: name,
    template: attemptTemplate(pass, call, name, attempt, last),
    flag: { ...call.flag, retried: true },
    mustEndBy: verdict.mustEndBy,
  });
  return afterAttempt(pass, call, retryNode.id, outcome);
}

type Verdict =
  | { readonly kind: "over"; readonly node: NodeStatus }
  | { readonly kind: "wait"; readonly node: NodeStatus }
  | { readonly kind: "go"; readonly node: NodeStatus; readonly mustEndBy?: number };

function judgeAttempts(pass: Pass, node: NodeStatus, strategy: RetryStrategy): Verdict {
  const attempts = attemptsOf(pass, node);
  const last = attempts.at(-1);
  if (!last) return { kind: "go", node };

  if (!isOver(last)) {
    if (!isDaemoned(last)) return { kind: "go", node };
    const marked = pass.mark(node.id, last.phase!);
    return { kind: "over", node: pass.nodes.update(marked.id, { daemoned: true }) };
  }
  const end = (phase: NodeStatus["phase"], message?: string): Verdict => {
    pass.mark(node.id, phase!, message);
    return { kind: "over", node: pass.nodes.update(node.id, { outputs: last.outputs, daemoned: undefined }) };
  };
  if (!isFailure(last.phase)) return end("Succeeded", "");

  if (pass.shutdown) return end(last.phase, `Stopped with strategy '${pass.shutdown}'`);
  if (pass.pastDeadline) {
    return end(last.phase, `retry exceeded workflow deadline ${formatTime(new Date(pass.deadline!))}`);
  }

  const limit = intOf(strategy.limit);
  const backoff = strategy.backoff && judgeBackoff(pass, strategy.backoff, attempts, limit);
  if (backoff?.kind === "end") return end(last.phase, backoff.message);
  if (backoff?.kind === "wait") {
    pass.comeBackAt(backoff.until);
    return { kind: "wait", node: pass.mark(node.id, node.phase!, backoff.message) };
  }
  if (!mayRetry(strategy, last)) return end(last.phase, last.message ?? "");
  if (limit !== undefined && attempts.length > limit) return end(last.phase, "No more retries left");
  if (strategy.expression && !evaluateCondition(strategy.expression, retryScope(node, pass.nodes))) {
    return end(last.phase, "retryStrategy.expression evaluated to false");
  }
  const next = backoff ? pass.mark(node.id, node.phase!, "") : node;
  return { kind: "go", node: next, mustEndBy: backoff?.mustEndBy };
}

type BackoffVerdict =
  | { readonly kind: "end"; readonly message: string }
  | { readonly kind: "wait"; readonly until: number; readonly message: string }
  | { readonly kind: "go"; readonly mustEndBy?: number };

/** The wait grows by `factor` from the second retry on, up to `cap`; without a `limit` Argo does not wait at all. */
function judgeBackoff(
  pass: Pass,
  backoff: NonNullable<RetryStrategy["backoff"]>,
  attempts: readonly NodeStatus[],
  limit: number | undefined,
): BackoffVerdict {
  const now = pass.now.getTime();
  let mustEndBy: number | undefined;
  if (backoff.maxDuration) {
    mustEndBy = millisOf(attempts[0].startedAt) + argoDurationMillis(backoff.maxDuration);
    if (now > mustEndBy) return { kind: "end", message: "Max duration limit exceeded" };
  }
  if (!backoff.duration) throw new Error("no base duration specified for retryStrategy");
  let wait = argoDurationMillis(backoff.duration);
  const factor = intOf(backoff.factor) ?? 0;
  if (factor > 0) wait = wait * factor ** (attempts.length - 1);
  if (backoff.cap) wait = Math.min(wait, argoDurationMillis(backoff.cap));
  const until = millisOf(attempts.at(-1)!.finishedAt) + wait;
  if (mustEndBy !== undefined && until > mustEndBy) {
    return { kind: "end", message: "Backoff would exceed max duration limit" };
  }
  if (now < until && limit !== undefined && attempts.length <= limit) {
    return { kind: "wait", until, message: `Backoff for ${humanDuration(wait)}` };
  }
  return { kind: "go", mustEndBy };
}

function mayRetry(strategy: RetryStrategy, last: NodeStatus): boolean {
  const policy = strategy.retryPolicy ?? (strategy.expression ? "Always" : "OnFailure");
  switch (policy) {
    case "Always":
      return true;
    case "OnFailure":
      return last.phase === "Failed";
    case "OnError":
      return last.phase === "Error";
    case "OnTransientError":
      return isTransientMessage(last.message ?? "");
    default:
      throw new Error(`${policy} is not a valid RetryPolicy`);
  }
}

function attemptTemplate(
  pass: Pass,
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
  if (isPodType(call.type)) local.set("pod.name", podNameOf(pass, name, call.template));
  return substituteParameters(call.template, pass.globals, local);
}

/** The Retry node follows its attempt at once, so that the end of the last attempt is the end of the step. */
function afterAttempt(pass: Pass, call: ReadyCall, retryId: string, outcome: Outcome): Outcome {
  const retryNode = pass.nodes.get(retryId)!;
  const attempt = outcome.node;
  if (!attempt) return { kind: "waiting", node: retryNode };
  if (isOver(attempt) && !isOver(retryNode)) {
    return attempt.id === retryId ? outcome : runWithRetriesAgain(pass, call, retryNode, outcome);
  }
  if (isDaemoned(attempt) && !isOver(attempt)) {
    pass.mark(retryId, attempt.phase!);
    return { kind: "node", node: pass.nodes.update(retryId, { daemoned: true }) };
  }
  if (outcome.kind === "timeout" || outcome.kind === "tooDeep") return { ...outcome, node: retryNode };
  return isFulfilled(attempt) || outcome.kind === "node"
    ? { kind: "node", node: retryNode }
    : { kind: "waiting", node: retryNode };
}

function runWithRetriesAgain(pass: Pass, call: ReadyCall, retryNode: NodeStatus, outcome: Outcome): Outcome {
  const verdict = judgeAttempts(pass, retryNode, retryStrategyOf(pass, call.template)!);
  if (verdict.kind === "go") {
    // Another attempt follows in the next pass; ask for it now.
    pass.comeBackAt(pass.now.getTime());
    return { kind: "node", node: verdict.node };
  }
  return outcome.kind === "tooDeep" ? { ...outcome, node: verdict.node } : { kind: "node", node: verdict.node };
}
