/**
 * The decision about one workflow: from facts to a new status and the actions that follow. Pure and level-triggered: it
 * never asks what woke it, and the same question has the same answer. Read it as the table of contents of the engine.
 */
import type { NodeStatus, Workflow, WorkflowPhase } from "../../lib/api/mod.ts";
import { validateWorkflow } from "../../lib/validate/mod.ts";
import type { Outcome } from "./call.ts";
import { createClaims, deleteClaims } from "./claims.ts";
import { setCondition } from "./conditions.ts";
import { effectiveSpec, metadataFromDefaults } from "./effective_spec.ts";
import { execute } from "./execute.ts";
import { applyWorkflowMetadata, freezePodNames, setEndGlobals, setGlobals, setRuntimeGlobals } from "./globals.ts";
import { eventHooks, exitHookOf } from "./hooks.ts";
import { evaluateCondition } from "../../lib/template/mod.ts";
import { awaitHeldPods } from "./held_pods.ts";
import { announceIgnoredFields } from "./ignored_fields.ts";
import { isFailure, isFulfilled } from "./node_state.ts";
import { announceNodes } from "./node_events.ts";
import { isActivePod } from "./parallelism.ts";
import { Memory } from "./memory.ts";
import { Pass } from "./pass.ts";
import { cleanUpPods } from "./pod_cleanup.ts";
import { readPods } from "./pod_status.ts";
import { updateProgress } from "./progress.ts";
import { wakeNodes } from "./rest.ts";
import { endForbiddenNodes } from "./shutdown.ts";
import { takeReports } from "./task_results.ts";
import { rootScope } from "./templates.ts";
import { millisOf } from "./time.ts";
import { endOfLife } from "./time_to_live.ts";
import type { Decision, EngineConfig, Observed } from "./types.ts";
import { messageOf } from "./user_error.ts";
import { isFinal, markWorkflow } from "./workflow_phase.ts";

/** What the peer says, word for word: clients show it. */
const POSTPONED = "Workflow processing has been postponed because too many workflows are already running";

/** Decides what becomes of a workflow, given what is seen of it now. */
export function decide(
  workflow: Workflow,
  observed: Observed,
  now: Date,
  config: EngineConfig,
  memory: Memory = new Memory(),
): Decision {
  const pass = new Pass(workflow, observed, now, config, memory);
  if (isFinal(workflow.status?.phase)) cleanUpAfterTheEnd(pass);
  else advance(pass);
  return conclude(pass, workflow);
}

function advance(pass: Pass): void {
  if (!hasStarted(pass) && pass.observed.mayStart === false && !pass.workflow.spec.shutdown) {
    markWorkflow(pass, "Pending", POSTPONED);
    return;
  }
  if (!settleSpec(pass)) return;
  takeReports(pass);
  if (!hasStarted(pass)) start(pass);
  else {
    pass.deadline = deadlineOf(pass);
    readPods(pass);
    awaitHeldPods(pass);
    endForbiddenNodes(pass);
  }
  if (!pass.spec.suspend) runWorkflow(pass);
  if (isFinal(pass.workflow.status?.phase)) {
    deleteClaims(pass);
    pass.actions.push({ kind: "deleteTaskResults" });
  }
  pass.isAtWork = true;
  cleanUpPods(pass);
}

/** A Pending workflow waits for its start; a retried one has no phase and starts again. */
function hasStarted(pass: Pass): boolean {
  const phase = pass.workflow.status?.phase;
  return Boolean(phase) && phase !== "Pending";
}

function cleanUpAfterTheEnd(pass: Pass): void {
  pass.spec = pass.workflow.status?.storedWorkflowTemplateSpec ?? pass.workflow.spec;
  deleteClaims(pass);
  cleanUpPods(pass);
  endOfLife(pass);
}

/** Finds the spec that runs, checks it once, and fills in what is known. False when the workflow ends here. */
function settleSpec(pass: Pass): boolean {
  const isNew = !hasStarted(pass);
  if (isNew) {
    const { labels, annotations } = metadataFromDefaults(pass.workflow, pass.config.workflowDefaults);
    if (Object.keys(labels).length) pass.setLabels(labels);
    if (Object.keys(annotations).length) pass.setAnnotations(annotations);
  }
  try {
    pass.spec = effectiveSpec(pass);
  } catch (error) {
    markWorkflow(pass, "Error", messageOf(error));
    return false;
  }
  if (isNew) {
    const [problem] = validateWorkflow({ ...pass.workflow, spec: pass.spec }, pass.observed);
    if (problem) {
      markWorkflow(pass, "Failed", `invalid spec: ${problem.message}`);
      return false;
    }
  }
  if (pass.spec.synchronization) {
    markWorkflow(pass, "Error", "workflows with synchronization cannot be run by this version");
    return false;
  }
  try {
    setGlobals(pass);
  } catch (error) {
    markWorkflow(pass, "Failed", `failed to set global parameters: ${messageOf(error)}`);
    return false;
  }
  if (isNew) {
    try {
      applyWorkflowMetadata(pass);
    } catch (error) {
      markWorkflow(pass, "Error", messageOf(error));
      return false;
    }
  }
  setRuntimeGlobals(pass);
  return true;
}

function start(pass: Pass): void {
  markWorkflow(pass, "Running", "");
  setCondition(pass, "PodRunning", "False");
  freezePodNames(pass);
  announceIgnoredFields(pass);
  pass.deadline = deadlineOf(pass);
  if (pass.deadline !== undefined) pass.comeBackAt(pass.deadline + 1);
}

function deadlineOf(pass: Pass): number | undefined {
  const seconds = pass.spec.activeDeadlineSeconds;
  const startedAt = pass.workflow.status?.startedAt;
  return seconds === undefined || !startedAt ? undefined : millisOf(startedAt) + Number(seconds) * 1000;
}

/** The entry template, then the hooks, then the exit handler, then the end. */
function runWorkflow(pass: Pass): void {
  if (pass.spec.parallelism !== undefined) {
    pass.activePods = pass.select("active", pass.nodes.ids(), (id) => isActivePod(pass, pass.nodes.get(id))).size;
  }
  pass.awake = wakeNodes(pass);
  try {
    if (!createClaims(pass)) return;
  } catch (error) {
    markWorkflow(pass, "Error", `pvc create error: ${messageOf(error)}`);
    return;
  }
  const entry = execute(pass, {
    nodeName: pass.name,
    holder: { template: pass.spec.entrypoint },
    caller: "step",
    scope: rootScope(pass),
    arguments: pass.spec.arguments,
  });
  if (!wentOn(pass, entry, "entry")) return;
  const node = pass.nodes.get(pass.name);
  if (!node) return;
  if (isFulfilled(node) || pass.spec.hooks) setEndGlobals(pass, STATUS_OF[node.phase!]);
  if (!runWorkflowHooks(pass) || !isFulfilled(node)) return;
  const exitNode = runExitHandler(pass);
  if (exitNode === "running") return;
  end(pass, pass.nodes.get(pass.name)!, exitNode);
}

const STATUS_OF: Readonly<Record<NonNullable<NodeStatus["phase"]>, WorkflowPhase>> = {
  Pending: "Pending",
  Running: "Running",
  Succeeded: "Succeeded",
  Skipped: "Succeeded",
  Omitted: "Succeeded",
  Failed: "Failed",
  Error: "Error",
};

function wentOn(pass: Pass, outcome: Outcome, what: string): boolean {
  switch (outcome.kind) {
    case "node":
      return true;
    case "waiting":
      return false;
    case "tooDeep":
    case "timeout":
    case "error": {
      const message = outcome.kind === "error" ? outcome.message : outcome.node.message ?? "";
      markWorkflow(pass, "Error", `error in ${what} template execution: ${message}`);
      deleteClaims(pass);
      return false;
    }
  }
}

/** Hooks of the workflow itself. True when none of them is still running. */
function runWorkflowHooks(pass: Pass): boolean {
  let over = true;
  for (const [name, hook] of eventHooks(pass.spec.hooks)) {
    const nodeName = `${pass.name}.hooks.${name}`;
    try {
      if (!hook.expression) throw new Error(`Expression required for hook ${nodeName}`);
      const due = evaluateCondition(hook.expression, pass.globals);
      if (!due && !pass.nodes.byName(nodeName)) continue;
    } catch (error) {
      pass.markError(pass.name, messageOf(error));
      return true;
    }
    const outcome = execute(pass, {
      nodeName,
      holder: { template: hook.template, templateRef: hook.templateRef },
      caller: "step",
      scope: rootScope(pass),
      arguments: hook.arguments,
      flag: { hooked: true },
    });
    if (outcome.node) pass.nodes.addChild(pass.name, outcome.node.id);
    if (outcome.kind === "error") pass.markError(pass.name, outcome.message);
    else if (!outcome.node || !isFulfilled(outcome.node)) over = false;
  }
  return over;
}

/** The exit handler runs on success, failure, error, deadline and Stop; a Terminate only lets one finish that runs. */
function runExitHandler(pass: Pass): NodeStatus | "running" | undefined {
  const hook = exitHookOf(pass.spec, pass.spec.arguments);
  const nodeName = `${pass.name}.onExit`;
  if (!hook || (!pass.mayRun(true) && !pass.nodes.byName(nodeName))) return undefined;
  const outcome = execute(pass, {
    nodeName,
    holder: { template: hook.template, templateRef: hook.templateRef },
    caller: "step",
    scope: rootScope(pass),
    arguments: hook.arguments,
    onExit: true,
    flag: { hooked: true },
  });
  if (!wentOn(pass, outcome, "exit")) return "running";
  const node = pass.nodes.byName(nodeName);
  return node && isFulfilled(node) ? node : "running";
}

function end(pass: Pass, node: NodeStatus, exitNode: NodeStatus | undefined): void {
  const phase = STATUS_OF[node.phase!];
  if (phase === "Succeeded") {
    if (exitNode && isFailure(exitNode.phase)) {
      markWorkflow(pass, exitNode.phase === "Failed" ? "Failed" : "Error", exitNode.message ?? "");
    } else markWorkflow(pass, "Succeeded", "");
    return;
  }
  if (!isFinal(phase)) return; // A daemon as the entry: it is fulfilled, and runs on.
  const stopped = isFailure(node.phase) && pass.shutdown;
  markWorkflow(pass, phase, stopped ? `Stopped with strategy '${pass.shutdown}'` : node.message ?? "");
}

/** The status of a large workflow is copied, and what is summed up over all its nodes, only when it is to be written. */
function conclude(pass: Pass, before: Workflow): Decision {
  if (pass.config.nodeEvents) announceNodes(pass, before.status?.nodes ?? {});
  const { changed, passes } = pass.nodes;
  let result: Pick<Decision, "workflow" | "touched"> | undefined;
  const conclusion = () => {
    if (!result && pass.nodes.passes !== passes) throw new Error("A decision is asked for after the next was made");
    return result ??= summarize(pass, before);
  };
  return {
    isChange: changed.size > 0 || pass.workflow !== before,
    phase: pass.workflow.status?.phase,
    isTouched: (nodeId) => changed.has(nodeId),
    get workflow() {
      return conclusion().workflow;
    },
    get touched() {
      return conclusion().touched;
    },
    actions: pass.actions,
    requeueAt: pass.requeueAt,
    notes: pass.notes,
  };
}

function summarize(pass: Pass, before: Workflow): Pick<Decision, "workflow" | "touched"> {
  if (pass.isAtWork) updateProgress(pass);
  const { changed } = pass.nodes;
  const nodes = changed.size ? pass.nodes.toRecord() : before.status?.nodes;
  const workflow = nodes === pass.workflow.status?.nodes
    ? pass.workflow
    : { ...pass.workflow, status: { ...pass.workflow.status, nodes } };
  return { workflow, touched: new Set(changed.keys()) };
}
