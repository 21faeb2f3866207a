/**
 * Running a template under a name: find it, fill in its arguments, see whether it may start, and hand it to the file of
 * its type. Called again in every pass until the node is over; what is done already is not done twice.
 */
import type { NodeStatus, Template } from "../../lib/api/mod.ts";
import { type Call, type Outcome, podNameOf, type ReadyCall, retryStrategyOf } from "./call.ts";
import { argoDurationMillis } from "./duration.ts";
import { runDag } from "./dag.ts";
import { addErrorNode, type NewNode } from "./new_node.ts";
import { mustWait } from "./parallelism.ts";
import type { Pass } from "./pass.ts";
import { fillArguments } from "./arguments.ts";
import { processedTemplates, runPod } from "./pod_node.ts";
import { isAtRest, restOf } from "./rest.ts";
import { runWithRetries } from "./retry.ts";
import { runSteps } from "./steps.ts";
import { runSuspend } from "./suspend.ts";
import { messageOf } from "./user_error.ts";
import { type ResolvedTemplate, resolveTemplate } from "./templates.ts";
import { isPodType, type TemplateType, templateType } from "./template_type.ts";
import { millisOf } from "./time.ts";

/** Where the depth limit is explained. */
const RECURSION_HELP = "https://argo-workflows.readthedocs.io/en/latest/scaling/#maximum-recursion-depth";

/** Makes the node of a call, or brings it forward by what has become possible. */
export function execute(pass: Pass, call: Call): Outcome {
  const existing = pass.nodes.byName(call.nodeName);
  if (!existing) return executeWithinDepth(pass, call, existing);
  if (isAtRest(pass, existing)) return { kind: "node", node: existing };
  const { roomless } = pass;
  let outcome: Outcome | undefined;
  const isIdle = pass.isIdle(() => outcome = executeWithinDepth(pass, call, existing));
  if (isIdle && outcome!.kind === "node") {
    pass.memory.part(restOf).set(existing.id, pass.roomless > roomless ? "room" : "change");
  } else pass.memory.part(restOf).delete(existing.id);
  return outcome!;
}

function executeWithinDepth(pass: Pass, call: Call, existing: NodeStatus | undefined): Outcome {
  pass.depth++;
  try {
    const limit = pass.config.maxDepth;
    if (limit > 0 && pass.depth >= limit) {
      const node = addErrorNode(pass, errorNodeOf(call), `Maximum recursion depth exceeded. See ${RECURSION_HELP}`);
      return { kind: "tooDeep", node };
    }
    return executeWithinLimit(pass, call, existing);
  } finally {
    pass.depth--;
  }
}

function executeWithinLimit(pass: Pass, call: Call, existing: NodeStatus | undefined): Outcome {
  let ready: ReadyCall;
  try {
    ready = prepare(pass, call, existing);
  } catch (error) {
    return failed(pass, call, error);
  }
  if (ready.template.synchronization) {
    // To run it without its locks would be worse than not to run it.
    return failed(pass, call, new Error("templates with synchronization cannot be run by this version"));
  }
  if (existing) {
    const timedOut = checkTimeouts(pass, ready.template, existing);
    if (timedOut) return timedOut;
  }
  try {
    if (mustWait(pass, ready.template, existing, call.boundaryId)) {
      pass.heldBack++;
      return { kind: "waiting", node: pass.nodes.byName(call.nodeName) };
    }
    if (retryStrategyOf(pass, ready.template)) return runWithRetries(pass, ready, runTemplate);
    return runTemplate(pass, ready);
  } catch (error) {
    return failed(pass, call, error);
  }
}

function prepare(pass: Pass, call: Call, existing: NodeStatus | undefined): ReadyCall {
  const resolved = resolveTemplate(pass, call.holder, call.scope);
  const type = templateType(resolved.template)!;
  const template = (existing && pass.hasPod(existing.id) && pass.memory.part(processedTemplates).get(existing.id)) ||
    fillArguments(pass, resolved.template, call.arguments, localValues(pass, call, resolved, type));
  return { ...call, template, type, innerScope: resolved.scope };
}

function localValues(
  pass: Pass,
  call: Call,
  resolved: ResolvedTemplate,
  type: TemplateType,
): Map<string, string> {
  const local = new Map([["node.name", call.nodeName]]);
  // With retries each attempt has a pod of its own, and its name is filled in then.
  if (isPodType(type) && !retryStrategyOf(pass, resolved.template)) {
    local.set("pod.name", podNameOf(pass, call.nodeName, resolved.template));
  }
  if (call.caller) local.set(call.caller === "step" ? "steps.name" : "tasks.name", call.holder.name ?? "");
  return local;
}

function failed(pass: Pass, call: Call, error: unknown): Outcome {
  const message = messageOf(error);
  return { kind: "error", node: addErrorNode(pass, errorNodeOf(call), message), message };
}

function errorNodeOf(call: Call): Omit<NewNode, "type" | "phase"> {
  const { nodeName, holder, scope, boundaryId, flag } = call;
  return { name: nodeName, holder, scope, boundaryId, flag };
}

/** `timeout` counts from the node's start, `pendingTimeout` too but only while it is Pending. */
function checkTimeouts(pass: Pass, template: Template, node: NodeStatus): Outcome | undefined {
  const start = millisOf(node.startedAt);
  const pending = node.phase === "Pending";
  const limits = [template.timeout, pending ? template.pendingTimeout : undefined]
    .filter((text): text is string => Boolean(text))
    .map((text) => start + argoDurationMillis(text));
  const now = pass.now.getTime();
  if (pending && limits.some((limit) => now > limit)) {
    const pod = pass.observed.pods.get(node.id);
    if (pod) pass.actions.push({ kind: "deletePod", podName: pod.metadata.name!, uid: pod.metadata.uid });
    return { kind: "timeout", node: pass.mark(node.id, "Failed", "timeout") };
  }
  for (const limit of limits) if (limit >= now) pass.comeBackAt(limit + 1);
  return undefined;
}

/** Hands a call to the file of its type. */
function runTemplate(pass: Pass, call: ReadyCall): Outcome {
  switch (call.type) {
    case "container":
    case "containerSet":
    case "script":
    case "resource":
    case "data":
      return runPod(pass, call);
    case "steps":
      return runSteps(pass, call, execute);
    case "dag":
      return runDag(pass, call, execute);
    case "suspend":
      return runSuspend(pass, call);
    case "http":
    case "plugin": {
      const message = `templates of type ${call.type} cannot be run by this version`;
      return { kind: "error", node: addErrorNode(pass, errorNodeOf(call), message), message };
    }
  }
}
