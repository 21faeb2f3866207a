/**
 * The decision about a workflow: from facts to a new status and the actions that follow. Pure and level-triggered: it
 * does not depend on the event that triggered it, and equal input results in equal decisions. This file is the table of
 * contents of the engine.
 */
import { UserError } from "@tiphys/base/user_error";
import { ANNOTATION } from "@tiphys/base/constants";
import type { NodeStatus, Workflow, WorkflowPhase } from "@tiphys/model/api";
import { LimitError, type MonotonicClock } from "./allowance.ts";
import type { Execute, Outcome } from "./templates/call.ts";
import { conclude } from "./conclude.ts";
import { createClaims, deleteClaims } from "./spec/claims.ts";
import { createBudget, deleteBudget } from "./spec/disruption_budget.ts";
import { metadataFromDefaults } from "./spec/effective_spec.ts";
import { createExecute } from "./templates/execute.ts";
import { START_RULES, type StartRule } from "./templates/start_rule.ts";
import {
  applyWorkflowMetadata,
  recordPodNameFormat,
  setEndGlobals,
  setGlobals,
  setRuntimeGlobals,
} from "./spec/globals.ts";
import { failureOfEntry } from "./templates/failure_message.ts";
import { eventHooks, exitHookOf } from "./templates/hooks.ts";
import { evaluateCondition, withoutExpressionTags, withTagsInValues } from "@tiphys/language/template";
import {
  hookNodeName,
  isCompletedPhase,
  isFailure,
  isFulfilled,
  isOver,
  millisOf,
  onExitNodeName,
  traceIdOf,
} from "@tiphys/model/status";
import { collectGarbage, isBeingDeleted, requestGarbagePass } from "./garbage/collect.ts";
import { addGarbageFinalizer } from "./garbage/finalizer.ts";
import { adoptCompletionStatus } from "./pods/completion_status.ts";
import { checkDeletedPods } from "./pods/deleted_pods.ts";
import { chooseRepository } from "./spec/artifact_repository.ts";
import { applyAgentResults } from "./agent/results.ts";
import { endAgent, manageAgent } from "./agent/manage_agent.ts";
import { endUnfinishedNodes } from "./templates/end_unfinished_nodes.ts";
import { countActivePods } from "./templates/parallelism.ts";
import { reportDeadlocks } from "./locks/deadlock.ts";
import { hasWorkflowLocks, lostLockMessage } from "./workflow/workflow_locks.ts";
import { Memory } from "./due/memory.ts";
import { Pass } from "./pass.ts";
import { cleanUpPods } from "./pods/pod_cleanup.ts";
import { setPodRunningCondition, updateFromPods } from "./pods/pod_status.ts";
import { workflowEstimate } from "./nodes/estimate.ts";
import { findNodesWithWork } from "./templates/reusable_outcomes.ts";
import { endForbiddenNodes, requestPassForNewNodes } from "./workflow/shutdown.ts";
import { applyReports, contradictedReport } from "./pods/task_results.ts";
import { SettingError, specToRun } from "./spec/restricted_spec.ts";
import { sealStoredFields } from "./spec/seal.ts";
import { specProblem } from "./spec/spec_problem.ts";
import { endAtLimit } from "./workflow/end_at_limit.ts";
import { rootScope } from "./spec/templates.ts";
import { applyTimeToLive } from "./workflow/time_to_live.ts";
import type { Slice } from "./slice.ts";
import type { Decision, EngineConfig, ObservedState } from "./types.ts";
import { userErrorMessage } from "./user_error.ts";
import { markWorkflow } from "./workflow/workflow_phase.ts";

/** Argo's message, which clients show. */
const POSTPONED = "Workflow processing has been postponed because too many workflows are already running";

/** Argo's message for workflows with their own executor plugins if these are disabled. */
const PLUGINS_DISABLED = "workflow-level executor plugins are disabled in the controller. To enable them, set the " +
  "environment variable ARGO_WORKFLOW_LEVEL_EXECUTOR_PLUGINS=true";

/**
 * The arguments of `decide`: the workflow, the facts about it, the time, the settings, and the cache of earlier passes.
 */
export type DecideArguments = [
  workflow: Workflow,
  observed: ObservedState,
  now: Date,
  config: EngineConfig,
  memory?: Memory,
  elapsed?: MonotonicClock,
];

/**
 * Decides the next status and actions of a workflow from the facts observed now. `elapsed` measures the duration of the
 * pass, which limits how much it creates. Without it, only the number of nodes per pass is limited.
 */
export function decide(...args: DecideArguments): Decision {
  return decideWithRules(START_RULES, ...args);
}

/** Decides with other rules about when a call may start. */
export function decideWithRules(rules: readonly StartRule[], ...input: DecideArguments): Decision {
  const [workflow, observed, now, config, memory = new Memory(), elapsed = () => 0] = input;
  const pass = new Pass(workflow, observed, now, config, memory, elapsed);
  const isEnded = wasCompleted(pass) || (isBeingDeleted(pass) && !hasStarted(pass));
  const work = () => isEnded ? cleanUpCompleted(pass) : advance(pass, createExecute(rules, pass));
  const run = () => config.expressionTags === false ? withoutExpressionTags(work) : work();
  if (config.tagsInValues) withTagsInValues(run);
  else run();
  if (config.templateReferencing !== undefined) sealStoredFields(pass);
  return conclude(pass, { isAtWork: !wasCompleted(pass) });
}

function wasCompleted({ facts }: Slice): boolean {
  return isCompletedPhase(facts.before.status?.phase);
}

function advance(pass: Pass, execute: Execute): void {
  const isFirstPass = !hasStarted(pass);
  if (!hasStarted(pass) && pass.facts.mayStart === false && !pass.draft.workflow.spec.shutdown) {
    markWorkflow(pass, "Pending", POSTPONED);
    return;
  }
  if (waitsForInitialDelay(pass) || !prepareSpec(pass)) return;
  adoptCompletionStatus(pass);
  applyReports(pass);
  const lost = lostLockMessage(pass);
  if (lost !== undefined) return endImmediately(pass, lost, "Failed");
  if (!hasWorkflowLocks(pass)) return;
  if (!hasStarted(pass)) startWorkflow(pass);
  else {
    updateFromPods(pass);
    const contradiction = contradictedReport(pass);
    if (contradiction) return endImmediately(pass, contradiction);
    checkDeletedPods(pass);
    applyAgentResults(pass);
    endForbiddenNodes(pass);
  }
  try {
    pass.allowance.checkExistingNodes();
    // A suspended workflow with a shutdown or an exceeded deadline ends without being resumed.
    if (!pass.draft.spec.suspend || pass.shutdown || pass.isPastDeadline) {
      endUnfinishedNodes(pass);
      runWorkflow(pass, execute);
      requestPassForNewNodes(pass);
      // The nodes that contain the ended ones may continue now.
      if (endUnfinishedNodes(pass)) pass.requestPassAt(pass.facts.now.getTime());
      reportDeadlocks(pass);
    }
  } catch (error) {
    if (!(error instanceof LimitError)) throw error;
    endAtLimit(pass, error.message);
  }
  manageAgent(pass);
  if (isCompletedPhase(pass.draft.workflow.status?.phase)) {
    deleteClaims(pass);
    deleteBudget(pass);
    pass.draft.request({ kind: "deleteTaskResults" });
  }
  if (!isFirstPass) setPodRunningCondition(pass);
  cleanUpPods(pass);
  addGarbageFinalizer(pass, isFirstPass);
  requestGarbagePass(pass);
}

/** Whether the workflow has started. A Pending one waits for its start, and a retried one has no phase. */
function hasStarted(pass: Slice): boolean {
  const phase = pass.draft.workflow.status?.phase;
  return Boolean(phase) && phase !== "Pending";
}

/** Whether a new workflow waits for the configured initial delay, after which another pass is scheduled. */
function waitsForInitialDelay(pass: Slice): boolean {
  const { before, config, now } = pass.facts;
  const { initialDelayMillis = 0 } = config;
  if (initialDelayMillis === 0 || before.status?.phase) return false;
  const until = millisOf(before.metadata.creationTimestamp) + initialDelayMillis;
  if (!(now.getTime() < until)) return false;
  pass.requestPassAt(until);
  return true;
}

function cleanUpCompleted(pass: Pass): void {
  pass.draft.setSpec(pass.draft.workflow.status?.storedWorkflowTemplateSpec ?? pass.draft.workflow.spec);
  deleteClaims(pass);
  deleteBudget(pass);
  cleanUpPods(pass);
  endAgent(pass);
  collectGarbage(pass);
  if (!isBeingDeleted(pass)) applyTimeToLive(pass);
}

/**
 * Determines the spec that runs, validates it once, and substitutes globals. Returns false if the workflow ends or
 * waits.
 */
function prepareSpec(pass: Pass): boolean {
  const isNew = !hasStarted(pass);
  if (isNew) {
    const { labels, annotations } = metadataFromDefaults(pass.draft.workflow, pass.facts.config.workflowDefaults);
    if (Object.keys(labels).length) pass.draft.setLabels(labels);
    if (Object.keys(annotations).length) pass.draft.setAnnotations(annotations);
  }
  try {
    pass.draft.setSpec(specToRun(pass));
  } catch (error) {
    handleSpecError(pass, error, isNew);
    return false;
  }
  if (isNew) {
    const problem = specProblem(pass);
    if (problem !== undefined) {
      markWorkflow(pass, "Failed", `invalid spec: ${problem}`);
      return false;
    }
  }
  if (isNew && pass.draft.spec.executorPlugins?.length && !pass.facts.config.workflowPlugins) {
    markWorkflow(pass, "Error", PLUGINS_DISABLED);
    return false;
  }
  try {
    setGlobals(pass);
  } catch (error) {
    markWorkflow(pass, "Failed", `failed to set global parameters: ${userErrorMessage(error)}`);
    return false;
  }
  if (isNew) {
    try {
      applyWorkflowMetadata(pass);
    } catch (error) {
      markWorkflow(pass, "Error", userErrorMessage(error));
      return false;
    }
  }
  setRuntimeGlobals(pass);
  // With a restriction, a repository without a valid seal has been removed, and is chosen again.
  if (!isNew && pass.facts.config.templateReferencing === undefined) return true;
  try {
    return chooseRepository(pass);
  } catch (error) {
    markWorkflow(pass, "Error", userErrorMessage(error));
    return false;
  }
}

/** Ends a workflow that may not run, without waiting for reports of its nodes. Their pods are terminated afterwards. */
function handleSpecError(pass: Pass, error: unknown, isNew: boolean): void {
  const message = userErrorMessage(error);
  if (error instanceof SettingError && !isNew) {
    // The setting may be fixed soon: running pods continue until then.
    pass.draft.log(message);
    pass.requestPassAt(pass.facts.now.getTime() + SETTING_RETRY_MILLIS);
    return;
  }
  endImmediately(pass, message);
}

function endImmediately(pass: Pass, message: string, phase: "Failed" | "Error" = "Error"): void {
  for (const node of [...pass.draft.nodes.all()]) {
    if (isOver(node) && !node.daemoned) continue;
    pass.draft.update(node.id, { daemoned: undefined, taskResultSynced: true });
    if (!isFulfilled(node)) pass.draft.markError(node.id, message);
  }
  markWorkflow(pass, phase, message);
}

/** Milliseconds before the next pass over a running workflow while a setting of the controller is invalid. */
const SETTING_RETRY_MILLIS = 30_000;

function startWorkflow(pass: Pass): void {
  markWorkflow(pass, "Running", "");
  if (!pass.draft.workflow.status?.estimatedDuration) pass.draft.setStatus(workflowEstimate(pass));
  recordPodNameFormat(pass);
  const traceId = pass.facts.config.sendsTraces ? traceIdOf(pass.draft.workflow.metadata.uid ?? "") : undefined;
  if (traceId) pass.draft.setAnnotations({ [ANNOTATION.traceId]: traceId });
  if (pass.deadline !== undefined) pass.requestPassAt(pass.deadline + 1);
}

/** Runs the entry template, the hooks and the exit handler, then ends the workflow. */
function runWorkflow(pass: Pass, execute: Execute): void {
  pass.runTemplates(countActivePods(pass), (changedIds, parentOf) => findNodesWithWork(pass, changedIds, parentOf));
  try {
    if (!createBudget(pass)) return;
  } catch (error) {
    markWorkflow(
      pass,
      "Failed",
      `Unable to create PDB resource for workflow, ${pass.name} error: ${userErrorMessage(error)}`,
    );
    return;
  }
  try {
    if (!createClaims(pass)) return;
  } catch (error) {
    markWorkflow(pass, "Error", `pvc create error: ${userErrorMessage(error)}`);
    return;
  }
  const entry = execute({
    nodeName: pass.name,
    holder: { template: pass.draft.spec.entrypoint },
    caller: "step",
    scope: rootScope(pass),
    arguments: pass.draft.spec.arguments,
  });
  if (!continuesAfter(pass, entry, "error in entry template execution:")) return;
  const { node } = entry;
  if (!node) return;
  if (isFulfilled(node) || pass.draft.spec.hooks) setEndGlobals(pass, WORKFLOW_PHASE_OF[node.phase!]);
  if (!runWorkflowHooks(pass, execute) || !isFulfilled(node)) return;
  const exitNode = runExitHandler(pass, execute);
  if (exitNode === "running") return;
  endWorkflow(pass, pass.draft.nodes.get(node.id)!, exitNode);
}

const WORKFLOW_PHASE_OF: Readonly<Record<NonNullable<NodeStatus["phase"]>, WorkflowPhase>> = {
  Pending: "Pending",
  Running: "Running",
  Succeeded: "Succeeded",
  Skipped: "Succeeded",
  Omitted: "Succeeded",
  Failed: "Failed",
  Error: "Error",
};

function continuesAfter(pass: Pass, outcome: Outcome, prefix: string): boolean {
  switch (outcome.kind) {
    case "node":
      return true;
    case "waiting":
      return false;
    case "tooDeep":
    case "timeout":
    case "error": {
      if (pass.facts.config.bubblesEntryErrors === false && outcome.node) return true;
      const message = outcome.kind === "error" ? outcome.message : outcome.node.message ?? "";
      markWorkflow(pass, "Error", `${prefix} ${message}`);
      deleteClaims(pass);
      return false;
    }
  }
}

/** Runs the hooks of the workflow. Returns true if none of them is running. */
function runWorkflowHooks(pass: Pass, execute: Execute): boolean {
  let areAllCompleted = true;
  for (const [name, hook] of eventHooks(pass.draft.spec.hooks)) {
    const nodeName = hookNodeName(pass.name, name);
    try {
      if (!hook.expression) throw new UserError(`Expression required for hook ${nodeName}`);
      const due = evaluateCondition(hook.expression, pass.draft.globals);
      if (!due && !pass.draft.nodes.byName(nodeName)) continue;
    } catch (error) {
      pass.draft.markError(pass.name, userErrorMessage(error));
      return true;
    }
    const outcome = execute({
      nodeName,
      holder: { template: hook.template, templateRef: hook.templateRef },
      caller: "step",
      scope: rootScope(pass),
      arguments: hook.arguments,
      flag: { hooked: true },
    });
    if (outcome.node) pass.draft.addChild(pass.name, outcome.node.id);
    if (outcome.kind === "error") pass.draft.markError(pass.name, outcome.message);
    else if (!outcome.node || !isFulfilled(outcome.node)) areAllCompleted = false;
  }
  return areAllCompleted;
}

/** Runs the exit handler after success, failure, error, deadline and Stop. Terminate lets only a running one finish. */
function runExitHandler(pass: Pass, execute: Execute): NodeStatus | "running" | undefined {
  const hook = exitHookOf(pass.draft.spec, pass.draft.spec.arguments);
  const nodeName = onExitNodeName(pass.name);
  if (!hook || (!pass.mayRun(true) && !pass.draft.nodes.byName(nodeName))) return undefined;
  const outcome = execute({
    nodeName,
    holder: { template: hook.template, templateRef: hook.templateRef },
    caller: "step",
    scope: rootScope(pass),
    arguments: hook.arguments,
    onExit: true,
    flag: { hooked: true },
  });
  if (!continuesAfter(pass, outcome, "error in exit template execution :")) return "running";
  const node = pass.draft.nodes.byName(nodeName);
  return node && isFulfilled(node) ? node : "running";
}

function endWorkflow(pass: Pass, node: NodeStatus, exitNode: NodeStatus | undefined): void {
  const phase = WORKFLOW_PHASE_OF[node.phase!];
  if (phase === "Succeeded") {
    if (exitNode && isFailure(exitNode.phase)) {
      const message = exitNode.message ?? (pass.shutdown ? `Stopped with strategy '${pass.shutdown}'` : "");
      markWorkflow(pass, exitNode.phase === "Failed" ? "Failed" : "Error", message);
    } else markWorkflow(pass, "Succeeded", "");
    return;
  }
  if (!isCompletedPhase(phase)) return; // A daemon as entry is fulfilled while it runs.
  const stopped = isFailure(node.phase) && pass.shutdown;
  const message = stopped ? `Stopped with strategy '${pass.shutdown}'` : failureOfEntry(pass.draft.nodes, node);
  markWorkflow(pass, phase, message);
}
