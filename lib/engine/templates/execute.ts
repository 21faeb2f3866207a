/**
 * Execution of a call: resolves its template and arguments, checks whether it may start, and runs it in the file of its
 * type. Idempotent: each pass repeats it until the node has ended.
 */
import type { NodeStatus, Template } from "@tiphys/model/api";
import { type Call, type Execute, type Outcome, podNameOfCall, type ReadyCall, retryStrategyOf } from "./call.ts";
import { timeoutMillis } from "../duration.ts";
import { runDag } from "./dag.ts";
import { LIMITS } from "@tiphys/base/limits";
import { hasRole, isOver, lastAttempt, millisOf, timeText } from "@tiphys/model/status";
import {
  isLeafType,
  isPodType,
  TEMPLATE_TYPES,
  type TemplateType,
  templateType,
  type TypesRunBy,
} from "@tiphys/model/templates";
import { addErrorNode, type NewNode } from "../nodes/new_node.ts";
import { nodeEstimate } from "../nodes/estimate.ts";
import { lookUpOutputs } from "./memoize.ts";
import type { StartRule } from "./start_rule.ts";
import type { Pass } from "../pass.ts";
import { runAgentTask } from "./agent_node.ts";
import { checkWholeTime } from "@tiphys/language/template";
import { checkGlobalOutputs, fillArguments } from "./arguments.ts";
import { processedTemplates, runPod } from "./pod_node.ts";
import { recordOutcome, reusableKind } from "./reusable_outcomes.ts";
import { runWithRetries } from "./retry.ts";
import { runSteps } from "./steps.ts";
import { runSuspend } from "./suspend.ts";
import { userErrorMessage } from "../user_error.ts";
import { type ResolvedTemplate, resolveTemplate } from "../spec/templates.ts";

/** The page that explains the depth limit. */
const RECURSION_HELP = "https://argo-workflows.readthedocs.io/en/latest/scaling/#maximum-recursion-depth";

/** Returns the function that runs calls in a pass, with rules about when a call may start. */
export function createExecute(rules: readonly StartRule[], pass: Pass): Execute {
  return new Executor(rules, pass).execute;
}

class Executor {
  readonly #rules: readonly StartRule[];
  readonly #pass: Pass;

  constructor(rules: readonly StartRule[], pass: Pass) {
    this.#rules = rules;
    this.#pass = pass;
  }

  /** Adds the node of a call, or continues it. */
  readonly execute = (call: Call): Outcome => {
    checkWholeTime();
    const pass = this.#pass;
    const existing = pass.draft.nodes.byName(call.nodeName);
    if (!existing && pass.postponesCalls()) return { kind: "waiting" };
    const reusable = existing && reusableKind(pass, existing);
    if (reusable) return { kind: reusable, node: existing };
    const evaluation = pass.beginEvaluation(pass.draft.nodes.idOf(call.nodeName));
    let outcome: Outcome | undefined;
    // Calls may be nested up to the limit, so each uses as few stack frames as possible.
    try {
      if (pass.enterCall(pass.facts.config.maxDepth || LIMITS.calls)) {
        try {
          outcome = this.#executeAtDepth(call, existing);
        } finally {
          pass.leaveCall();
        }
      } else outcome = failTooDeep(pass, call);
    } finally {
      pass.endEvaluation(evaluation);
    }
    recordOutcome(pass, evaluation, outcome);
    return outcome;
  };

  #executeAtDepth(call: Call, existing: NodeStatus | undefined): Outcome {
    const pass = this.#pass;
    let ready: ReadyCall;
    try {
      ready = prepareCall(pass, call, existing);
    } catch (error) {
      return failCall(pass, call, error);
    }
    try {
      const timedOut = existing && endAttemptIfTimedOut(pass, ready.template, existing);
      if (timedOut) return timedOut;
      for (const rule of this.#rules) {
        const waiting = rule(pass, ready, existing);
        if (waiting) return waiting;
      }
      const memoized = lookUpOutputs(pass, ready, existing);
      if (memoized.kind === "ended") return memoized.outcome;
      ready = { ...ready, memo: memoized.memo };
      return retryStrategyOf(pass, ready.template)
        ? runWithRetries(pass, ready, this.#runTemplate)
        : this.#runTemplate(ready);
    } catch (error) {
      return failCall(pass, call, error);
    }
  }

  /** Runs a call in the file of its type. */
  readonly #runTemplate = (call: ReadyCall): Outcome => {
    return runnerOf(call.type)(this.#pass, call, this.execute);
  };
}

type TemplateRunner = (pass: Pass, call: ReadyCall, execute: Execute) => Outcome;

/** The functions of the types that run neither in a pod nor by the agent. */
const RUNNERS: Readonly<
  Record<TypesRunBy<"calls" | "controller">, TemplateRunner> & Partial<Record<TemplateType, TemplateRunner>>
> = {
  steps: runSteps,
  dag: runDag,
  suspend: runSuspend,
};

/** Returns the function that runs templates of a type, in each pass until the node has ended. */
function runnerOf(type: TemplateType): TemplateRunner {
  return RUNNERS[type] ?? (TEMPLATE_TYPES[type].runner === "agent" ? runAgentTask : runPod);
}

function prepareCall(pass: Pass, call: Call, existing: NodeStatus | undefined): ReadyCall {
  const resolved = resolveTemplate(pass, call.holder, call.scope);
  const type = templateType(resolved.template)!;
  const template = (existing && pass.hasPod(existing.id) && pass.cache(processedTemplates).get(existing.id)) ||
    fillArguments(pass, resolved.template, call.arguments, localValues(pass, call, resolved, type));
  // An exit handler also runs after a failure that left an output without a value; the tag remains as text.
  if (!existing && !call.onExit && isLeafType(type)) checkGlobalOutputs(pass, template);
  return { ...call, template, type, innerScope: resolved.scope };
}

function localValues(
  pass: Pass,
  call: Call,
  resolved: ResolvedTemplate,
  type: TemplateType,
): Map<string, string> {
  const local = new Map([["node.name", call.nodeName]]);
  // With retries, each attempt has its own pod, whose name is substituted then.
  if (isPodType(type) && !retryStrategyOf(pass, resolved.template)) {
    local.set("pod.name", podNameOfCall(pass, call.nodeName, resolved.template));
  }
  if (call.caller) local.set(call.caller === "step" ? "steps.name" : "tasks.name", call.holder.name ?? "");
  return local;
}

function failTooDeep(pass: Pass, call: Call): Outcome {
  const message = `Maximum recursion depth exceeded. See ${RECURSION_HELP}`;
  return { kind: "tooDeep", node: addErrorNode(pass, errorNodeFields(call), message) };
}

function failCall(pass: Pass, call: Call, error: unknown): Outcome {
  const message = userErrorMessage(error);
  return { kind: "error", node: addErrorNode(pass, errorNodeFields(call), message), message };
}

function errorNodeFields(call: Call): Omit<NewNode, "type" | "phase"> {
  const { nodeName, holder, scope, boundaryId, flag } = call;
  return { name: nodeName, holder, scope, boundaryId, flag };
}

/** Sets the start of a node. A node that a memoized resubmission runs again has no start before. */
function ensureStarted(pass: Pass, node: NodeStatus): NodeStatus {
  if (node.startedAt) return node;
  return pass.draft.update(node.id, { startedAt: timeText(pass.facts.now), ...nodeEstimate(pass, node.name) });
}

/** Ends an attempt that exceeds a time limit. Its Retry node decides whether another attempt follows. */
function endAttemptIfTimedOut(pass: Pass, template: Template, node: NodeStatus): Outcome | undefined {
  const attempt = lastAttempt(node, pass.draft.nodes);
  if (!attempt) return endIfTimedOut(pass, template, ensureStarted(pass, node));
  if (!isOver(attempt)) endIfTimedOut(pass, template, ensureStarted(pass, attempt));
  return undefined;
}

/** Ends a node that exceeds its `timeout` or, while Pending, its `pendingTimeout`. Both count from the node's start. */
function endIfTimedOut(pass: Pass, template: Template, node: NodeStatus): Outcome | undefined {
  const start = millisOf(node.startedAt);
  const isPending = node.phase === "Pending";
  const limits = [timeoutMillis(template, "timeout"), isPending ? timeoutMillis(template, "pendingTimeout") : undefined]
    .filter((millis) => millis !== undefined)
    .map((millis) => start + millis);
  const now = pass.facts.now.getTime();
  // The kubelet enforces the limit of a running pod. Tasks of the agent end here.
  const isTask = hasRole(node, "agent");
  if ((isPending || isTask && node.phase === "Running") && limits.some((limit) => now > limit)) {
    const pod = pass.facts.pods.get(node.id);
    if (pod) pass.draft.request({ kind: "deletePod", podName: pod.metadata.name!, uid: pod.metadata.uid });
    const why = isTask ? node.message : undefined;
    const ended = pass.draft.mark(node.id, "Failed", why ? `timeout: ${why}` : "timeout");
    if (!ended.synchronizationStatus) return { kind: "timeout", node: ended };
    return { kind: "timeout", node: pass.draft.update(node.id, { synchronizationStatus: undefined }) };
  }
  for (const limit of limits) if (limit >= now) pass.requestPassAt(limit + 1);
  return undefined;
}
