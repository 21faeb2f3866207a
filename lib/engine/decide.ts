/**
 * The decision about one workflow: from facts to a new status and the actions that follow. Pure and level-triggered: it
 * never asks what woke it, and the same question has the same answer. Read it as the table of contents of the engine.
 */
import { UserError } from "@tiphys/base/user_error";
import { ANNOTATION } from "@tiphys/base/constants";
import type { NodeStatus, Workflow, WorkflowPhase } from "@tiphys/model/api";
import { type Elapsed, LimitError } from "./allowance.ts";
import type { Execute, Outcome } from "./templates/call.ts";
import { conclude } from "./conclude.ts";
import { createClaims, deleteClaims } from "./spec/claims.ts";
import { createBudget, deleteBudget } from "./spec/disruption_budget.ts";
import { metadataFromDefaults } from "./spec/effective_spec.ts";
import { executeBy } from "./templates/execute.ts";
import { START_RULES, type StartRule } from "./templates/start_rule.ts";
import { applyWorkflowMetadata, freezePodNames, setEndGlobals, setGlobals, setRuntimeGlobals } from "./spec/globals.ts";
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
import { awaitGarbage, collectGarbage, isBeingDeleted } from "./garbage/collect.ts";
import { keepForGarbage } from "./garbage/finalizer.ts";
import { adoptReports } from "./pods/adopted_reports.ts";
import { awaitHeldPods } from "./pods/held_pods.ts";
import { settleRepository } from "./spec/artifact_repository.ts";
import { readAgent } from "./agent/results.ts";
import { dismissAgent, tendAgent } from "./agent/tend.ts";
import { endLeftBehind } from "./templates/left_behind.ts";
import { countActivePods } from "./templates/parallelism.ts";
import { tellDeadlocks } from "./locks/deadlock.ts";
import { hasOwnLocks, lostHold } from "./whole/workflow_locks.ts";
import { Memory } from "./due/memory.ts";
import { Pass } from "./pass.ts";
import { cleanUpPods } from "./pods/pod_cleanup.ts";
import { notePodsRunning, readPods } from "./pods/pod_status.ts";
import { workflowEstimate } from "./nodes/estimate.ts";
import { wakeNodes } from "./templates/settled_nodes.ts";
import { comeBackForNewNodes, endForbiddenNodes } from "./whole/shutdown.ts";
import { contradictedReport, takeReports } from "./pods/task_results.ts";
import { SettingError, settledSpec } from "./spec/restricted_spec.ts";
import { seal } from "./spec/seal.ts";
import { specProblem } from "./spec/spec_problem.ts";
import { endAtLimit } from "./whole/end_at_limit.ts";
import { rootScope } from "./spec/templates.ts";
import { endOfLife } from "./whole/time_to_live.ts";
import type { Decision, EngineConfig, Observed } from "./types.ts";
import { messageOf } from "./user_error.ts";
import { markWorkflow } from "./whole/workflow_phase.ts";

/** The message of Argo, word for word: clients show it. */
const POSTPONED = "Workflow processing has been postponed because too many workflows are already running";

/** The message of Argo for workflows that bring their own executor plugins where these are disabled. */
const PLUGINS_DISABLED = "workflow-level executor plugins are disabled in the controller. To enable them, set the " +
  "environment variable ARGO_WORKFLOW_LEVEL_EXECUTOR_PLUGINS=true";

/**
 * The arguments of `decide`: the workflow, the facts about it, the time, the settings, and what earlier passes
 * remember.
 */
export type Question = [
  workflow: Workflow,
  observed: Observed,
  now: Date,
  config: EngineConfig,
  memory?: Memory,
  elapsed?: Elapsed,
];

/**
 * Decides what becomes of a workflow, given what is seen of it now. `elapsed` is a clock in milliseconds for how long the
 * pass takes: what it makes is spread over several passes; without it, by number only.
 */
export function decide(...question: Question): Decision {
  return decideBy(START_RULES, ...question);
}

/** Decides by other rules about when a call may start. */
export function decideBy(rules: readonly StartRule[], ...question: Question): Decision {
  const [workflow, observed, now, config, memory = new Memory(), elapsed = () => 0] = question;
  const pass = new Pass(workflow, observed, now, config, memory, elapsed);
  const isOver = isOverAlready(pass) || (isBeingDeleted(pass) && !hasStarted(pass));
  const work = () => isOver ? cleanUpAfterTheEnd(pass) : advance(pass, executeBy(rules, pass));
  const answer = () => config.expressionTags === false ? withoutExpressionTags(work) : work();
  if (config.tagsInValues) withTagsInValues(answer);
  else answer();
  if (config.templateReferencing !== undefined) seal(pass);
  return conclude(pass, { isAtWork: !isOverAlready(pass) });
}

function isOverAlready({ facts }: Pass): boolean {
  return isCompletedPhase(facts.before.status?.phase);
}

function advance(pass: Pass, execute: Execute): void {
  const isFirst = !hasStarted(pass);
  if (!hasStarted(pass) && pass.facts.mayStart === false && !pass.draft.workflow.spec.shutdown) {
    markWorkflow(pass, "Pending", POSTPONED);
    return;
  }
  if (isLeftAlone(pass) || !settleSpec(pass)) return;
  adoptReports(pass);
  takeReports(pass);
  const lost = lostHold(pass);
  if (lost !== undefined) return endAtOnce(pass, lost, "Failed");
  if (!hasOwnLocks(pass)) return;
  if (!hasStarted(pass)) start(pass);
  else {
    readPods(pass);
    const contradiction = contradictedReport(pass);
    if (contradiction) return endAtOnce(pass, contradiction);
    awaitHeldPods(pass);
    readAgent(pass);
    endForbiddenNodes(pass);
  }
  try {
    pass.allowance.checkHeld();
    // A suspended workflow that is to end does so without being resumed.
    if (!pass.draft.spec.suspend || pass.shutdown || pass.pastDeadline) {
      endLeftBehind(pass);
      runWorkflow(pass, execute);
      comeBackForNewNodes(pass);
      // What lies around it may go on now.
      if (endLeftBehind(pass)) pass.comeBackAt(pass.facts.now.getTime());
      tellDeadlocks(pass);
    }
  } catch (error) {
    if (!(error instanceof LimitError)) throw error;
    endAtLimit(pass, error.message);
  }
  tendAgent(pass);
  if (isCompletedPhase(pass.draft.workflow.status?.phase)) {
    deleteClaims(pass);
    deleteBudget(pass);
    pass.draft.ask({ kind: "deleteTaskResults" });
  }
  if (!isFirst) notePodsRunning(pass);
  cleanUpPods(pass);
  keepForGarbage(pass, isFirst);
  awaitGarbage(pass);
}

/** A Pending workflow waits for its start; a retried one has no phase and starts again. */
function hasStarted(pass: Pass): boolean {
  const phase = pass.draft.workflow.status?.phase;
  return Boolean(phase) && phase !== "Pending";
}

/** A new workflow is left alone for a while where the settings say so; it comes back then. */
function isLeftAlone({ facts: { before, config, now }, draft }: Pass): boolean {
  const { initialDelayMillis = 0 } = config;
  if (initialDelayMillis === 0 || before.status?.phase) return false;
  const until = millisOf(before.metadata.creationTimestamp) + initialDelayMillis;
  if (!(now.getTime() < until)) return false;
  draft.comeBackAt(until);
  return true;
}

function cleanUpAfterTheEnd(pass: Pass): void {
  pass.draft.settleSpec(pass.draft.workflow.status?.storedWorkflowTemplateSpec ?? pass.draft.workflow.spec);
  deleteClaims(pass);
  deleteBudget(pass);
  cleanUpPods(pass);
  dismissAgent(pass);
  collectGarbage(pass);
  if (!isBeingDeleted(pass)) endOfLife(pass);
}

/** Finds the spec that runs, checks it once, and fills in what is known. False when the workflow ends here. */
function settleSpec(pass: Pass): boolean {
  const isNew = !hasStarted(pass);
  if (isNew) {
    const { labels, annotations } = metadataFromDefaults(pass.draft.workflow, pass.facts.config.workflowDefaults);
    if (Object.keys(labels).length) pass.draft.setLabels(labels);
    if (Object.keys(annotations).length) pass.draft.setAnnotations(annotations);
  }
  try {
    pass.draft.settleSpec(settledSpec(pass));
  } catch (error) {
    endWithoutSpec(pass, error, isNew);
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
  // Under a restriction a repository whose seal cannot be proved was taken away, and is chosen anew.
  if (!isNew && pass.facts.config.templateReferencing === undefined) return true;
  try {
    return settleRepository(pass);
  } catch (error) {
    markWorkflow(pass, "Error", messageOf(error));
    return false;
  }
}

/** A workflow that may not run ends at once, whatever is still to be heard of its nodes; their pods are ended after it. */
function endWithoutSpec(pass: Pass, error: unknown, isNew: boolean): void {
  const message = messageOf(error);
  if (error instanceof SettingError && !isNew) {
    // The setting may be right again soon: pods that run are left alone until then.
    pass.draft.note(message);
    pass.comeBackAt(pass.facts.now.getTime() + SETTING_RETRY_MILLIS);
    return;
  }
  endAtOnce(pass, message);
}

function endAtOnce(pass: Pass, message: string, phase: "Failed" | "Error" = "Error"): void {
  for (const node of [...pass.draft.nodes.all()]) {
    if (isOver(node) && !node.daemoned) continue;
    pass.draft.update(node.id, { daemoned: undefined, taskResultSynced: true });
    if (!isFulfilled(node)) pass.draft.markError(node.id, message);
  }
  markWorkflow(pass, phase, message);
}

/**
 * The delay in milliseconds before a running workflow is looked at again while a setting of the controller is wrong.
 */
const SETTING_RETRY_MILLIS = 30_000;

function start(pass: Pass): void {
  markWorkflow(pass, "Running", "");
  if (!pass.draft.workflow.status?.estimatedDuration) pass.draft.setStatus(workflowEstimate(pass));
  freezePodNames(pass);
  const traceId = pass.facts.config.traces ? traceIdOf(pass.draft.workflow.metadata.uid ?? "") : undefined;
  if (traceId) pass.draft.setAnnotations({ [ANNOTATION.traceId]: traceId });
  if (pass.deadline !== undefined) pass.comeBackAt(pass.deadline + 1);
}

/** The entry template, then the hooks, then the exit handler, then the end. */
function runWorkflow(pass: Pass, execute: Execute): void {
  pass.runTemplates(countActivePods(pass), (news, within) => wakeNodes(pass, news, within));
  try {
    if (!createBudget(pass)) return;
  } catch (error) {
    markWorkflow(pass, "Failed", `Unable to create PDB resource for workflow, ${pass.name} error: ${messageOf(error)}`);
    return;
  }
  try {
    if (!createClaims(pass)) return;
  } catch (error) {
    markWorkflow(pass, "Error", `pvc create error: ${messageOf(error)}`);
    return;
  }
  const entry = execute({
    nodeName: pass.name,
    holder: { template: pass.draft.spec.entrypoint },
    caller: "step",
    scope: rootScope(pass),
    arguments: pass.draft.spec.arguments,
  });
  if (!wentOn(pass, entry, "error in entry template execution:")) return;
  const { node } = entry;
  if (!node) return;
  if (isFulfilled(node) || pass.draft.spec.hooks) setEndGlobals(pass, STATUS_OF[node.phase!]);
  if (!runWorkflowHooks(pass, execute) || !isFulfilled(node)) return;
  const exitNode = runExitHandler(pass, execute);
  if (exitNode === "running") return;
  end(pass, pass.draft.nodes.get(node.id)!, exitNode);
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

function wentOn(pass: Pass, outcome: Outcome, words: string): boolean {
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
      markWorkflow(pass, "Error", `${words} ${message}`);
      deleteClaims(pass);
      return false;
    }
  }
}

/** Hooks of the workflow itself. True when none of them is still running. */
function runWorkflowHooks(pass: Pass, execute: Execute): boolean {
  let over = true;
  for (const [name, hook] of eventHooks(pass.draft.spec.hooks)) {
    const nodeName = hookNodeName(pass.name, name);
    try {
      if (!hook.expression) throw new UserError(`Expression required for hook ${nodeName}`);
      const due = evaluateCondition(hook.expression, pass.draft.globals);
      if (!due && !pass.draft.nodes.byName(nodeName)) continue;
    } catch (error) {
      pass.draft.markError(pass.name, messageOf(error));
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
    else if (!outcome.node || !isFulfilled(outcome.node)) over = false;
  }
  return over;
}

/** The exit handler runs on success, failure, error, deadline and Stop; a Terminate only lets one finish that runs. */
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
  if (!wentOn(pass, outcome, "error in exit template execution :")) return "running";
  const node = pass.draft.nodes.byName(nodeName);
  return node && isFulfilled(node) ? node : "running";
}

function end(pass: Pass, node: NodeStatus, exitNode: NodeStatus | undefined): void {
  const phase = STATUS_OF[node.phase!];
  if (phase === "Succeeded") {
    if (exitNode && isFailure(exitNode.phase)) {
      const message = exitNode.message ?? (pass.shutdown ? `Stopped with strategy '${pass.shutdown}'` : "");
      markWorkflow(pass, exitNode.phase === "Failed" ? "Failed" : "Error", message);
    } else markWorkflow(pass, "Succeeded", "");
    return;
  }
  if (!isCompletedPhase(phase)) return; // A daemon as the entry: it is fulfilled, and runs on.
  const stopped = isFailure(node.phase) && pass.shutdown;
  markWorkflow(pass, phase, stopped ? `Stopped with strategy '${pass.shutdown}'` : node.message ?? "");
}
