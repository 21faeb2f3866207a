/**
 * Random actions of users on a random workflow, while it runs and after its end. Each action is checked at once: it
 * changes exactly what it should, or fails and changes nothing.
 */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import {
  isActiveSuspend,
  isCompletedPhase,
  isFailure,
  nodesOf,
  podNameOf,
  withResultOfOriginalPod,
} from "@tiphys/model/status";
import {
  ActionError,
  formulateResubmit,
  formulateRetry,
  type NodeValues,
  resumeWorkflow,
  type RetryOptions,
  setNodes,
} from "@tiphys/engine/workflow_actions";
import type { Scenario } from "../scenarios/scenario.ts";
import { pairsOf, referenceFaults, wrongChanges } from "./action_laws.ts";
import type { Chance } from "./workflow_of.ts";

/** An action that a user performed, and the laws that it broke. */
export interface Act {
  readonly what: string;
  readonly problems: readonly string[];
}

type Fields = Record<string, unknown>;

/** Gives some suspend templates of a random workflow outputs that a user must or may set, and a parameter. */
export function withPeople(workflow: Fields, chance: Chance): void {
  const spec = workflow["spec"] as { templates: Fields[]; arguments?: Fields };
  spec.arguments = { parameters: [{ name: "given", value: "1" }] };
  for (const template of spec.templates) {
    if (!template["suspend"] && template["container"] && !template["daemon"] && chance(3) === 0) {
      delete template["container"];
      template["suspend"] = {};
    }
    if (!template["suspend"] || chance(2)) continue;
    const valueFrom = { supplied: {}, ...(chance(2) ? { default: "none" } : {}) };
    template["outputs"] = {
      parameters: [{ name: "answer", valueFrom, ...(chance(2) ? { globalName: "global" } : {}) }],
    };
  }
}

/** Resumes a waiting node, and sets its output first if it has no default. */
export function resumeNode(world: Scenario, id: string): void {
  const selector = `id=${id}`;
  try {
    world.workflow = resumeWorkflow(world.workflow!, world.now, { nodeFieldSelector: selector });
  } catch (error) {
    if (!(error instanceof ActionError)) throw error;
    const outputs = new Map([["answer", "42"]]);
    world.workflow = setNodes(world.workflow!, selector, { phase: "Succeeded", outputs }, world.now);
  }
}

/** Performs a random action on a workflow that has not completed. */
export function actionOnRunning(world: Scenario, chance: Chance): Act {
  switch (chance(9)) {
    case 0:
      return patched(world, "suspend", { suspend: true });
    case 1:
    case 2:
      return resumed(world, undefined);
    case 3:
    case 4:
      return resumed(world, randomSelector(world.workflow!, chance));
    case 5:
      return patched(world, chance(2) ? "Stop" : "Terminate", undefined);
    case 6:
      return refused(world, "retry", (workflow) => formulateRetry(workflow, {}, world.now).workflow);
    default:
      return set(world, chance);
  }
}

function patched(world: Scenario, subject: string, spec: Fields | undefined): Act {
  world.run(`patch ${JSON.stringify({ spec: spec ?? { shutdown: subject } })}`, "");
  return { what: subject, problems: [] };
}

/** A selector of some nodes, of waiting ones, or of none. */
function randomSelector(workflow: Workflow, chance: Chance): string {
  const nodes = nodesOf(workflow);
  const node = nodes[chance(Math.max(1, nodes.length))];
  const waiting = nodes.filter(isActiveSuspend);
  const other = waiting[chance(Math.max(1, waiting.length))] ?? node;
  return [
    `displayName=${node?.displayName}`,
    `name=${other?.name}`,
    `templateName=${other?.templateName}`,
    `templateName!=${other?.templateName}`,
    `displayName=${other?.displayName},phase=Running`,
    "phase=Running",
    "phase=Failed",
    "name=nobody",
  ][chance(8)]!;
}

/** Evaluates a selector in the simplest way. */
function matches(selector: string, node: NodeStatus): boolean {
  return selector.split(",").every((term) => {
    const [, field = "", sign, value] = /^(\w+)(!?=)(.*)$/.exec(term)!;
    return (String(node[field as keyof NodeStatus] ?? "") === value) === (sign === "=");
  });
}

function resumed(world: Scenario, selector: string | undefined): Act {
  const what = `resume ${selector ?? ""}`;
  const before = world.workflow!;
  const meant = nodesOf(before).filter((node) => isActiveSuspend(node) && (!selector || matches(selector, node)));
  const needsOutput = meant.some(({ outputs }) =>
    outputs?.parameters?.some(({ valueFrom }) => valueFrom?.supplied && valueFrom.default === undefined)
  );
  const mustFail = needsOutput || selector !== undefined && meant.length === 0;
  const after = outcomeOf(() => resumeWorkflow(before, world.now, { nodeFieldSelector: selector }));
  if (mustFail !== (after === undefined)) return { what, problems: [`${what}: ${after ? "accepted" : "refused"}`] };
  if (!after) return { what, problems: [] };
  world.workflow = after;
  const problems = wrongChanges(
    before,
    after,
    new Set(meant.map(({ id }) => id)),
    (node) => node.phase === "Succeeded",
  );
  const keepsSuspend = selector ? before.spec.suspend : undefined;
  if (after.spec.suspend !== keepsSuspend) problems.push(`${what}: spec.suspend is ${after.spec.suspend}`);
  if (JSON.stringify(pairsOf(before.spec, "suspend")) !== JSON.stringify(pairsOf(after.spec, "suspend"))) {
    problems.push(`${what}: the spec has changed`);
  }
  return { what, problems };
}

/** Sets phase, message or output of selected nodes, as `node set` does, and `stop` with a selector. */
function set(world: Scenario, chance: Chance): Act {
  const before = world.workflow!;
  const selector = randomSelector(before, chance);
  const phase = ([undefined, "Failed", "Succeeded", "Error"] as const)[chance(4)];
  const message = chance(2) ? "a reason" : undefined;
  const outputs = chance(2) ? new Map([[chance(6) ? "answer" : "other", "42"]]) : undefined;
  const values: NodeValues = { phase, message, outputs };
  const what = `set ${selector} ${phase ?? ""} ${message ?? ""} ${[...outputs ?? []].join(",")}`;
  const meant = nodesOf(before).filter((node) => isActiveSuspend(node) && matches(selector, node));
  const unexpected = outputs &&
    meant.some((node) =>
      [...outputs.keys()].some((name) =>
        !node.outputs?.parameters?.find((parameter) => parameter.name === name)?.valueFrom?.supplied
      )
    );
  const mustFail = meant.length === 0 || unexpected || !(phase || message || outputs);
  const after = outcomeOf(() => setNodes(before, selector, values, world.now));
  if (mustFail !== (after === undefined)) return { what, problems: [`${what}: ${after ? "accepted" : "refused"}`] };
  if (!after) return { what, problems: [] };
  world.workflow = after;
  const isSet = (node: NodeStatus) =>
    node.phase === (phase ?? "Running") && (!message || node.message === message) &&
    (!outputs || node.outputs?.parameters?.[0]?.value === "42");
  return { what, problems: wrongChanges(before, after, new Set(meant.map(({ id }) => id)), isSet) };
}

function refused(world: Scenario, subject: string, act: (workflow: Workflow) => Workflow): Act {
  const after = outcomeOf(() => act(world.workflow!));
  return {
    what: `${subject}, which is refused`,
    problems: after ? [`${subject} of a running workflow is accepted`] : [],
  };
}

function outcomeOf(act: () => Workflow): Workflow | undefined {
  try {
    return act();
  } catch (error) {
    if (error instanceof ActionError) return undefined;
    throw error;
  }
}

/** Retries or resubmits a completed workflow, in any way. Undefined if nothing can be done. */
export function actionOnCompleted(world: Scenario, chance: Chance, suffix: string): Act | undefined {
  const workflow = world.workflow!;
  const parameters = chance(4) === 0 ? new Map([["given", "2"]]) : undefined;
  const how = chance(6);
  if (how === 0) return applyResubmit(world, { parameters }, suffix);
  if (how === 1 && isFailure(workflow.status?.phase)) {
    return applyResubmit(world, { parameters, memoized: { suffix } }, suffix);
  }
  const nodes = nodesOf(workflow);
  const node = nodes[chance(Math.max(1, nodes.length))];
  const failed = nodes.filter(({ phase }) => isFailure(phase));
  const other = failed[chance(Math.max(1, failed.length))];
  const nodeFieldSelector = [
    undefined,
    undefined,
    `displayName=${node?.displayName}`,
    `name=${other?.name}`,
    "phase=Failed",
    "name=nobody",
  ][chance(6)];
  const restartSuccessful = nodeFieldSelector !== undefined && chance(2) === 0;
  try {
    return applyRetry(world, { parameters, nodeFieldSelector, restartSuccessful });
  } catch (error) {
    if (error instanceof ActionError) return undefined;
    throw error;
  }
}

/** @throws {ActionError} when the workflow cannot be retried */
export function applyRetry(world: Scenario, options: RetryOptions): Act {
  const before = world.workflow!;
  const { workflow: after, podsToDelete } = formulateRetry(before, options, world.now);
  const kept = after.status?.nodes ?? {};
  const what = `retry ${options.restartSuccessful ? "restartSuccessful " : ""}${options.nodeFieldSelector ?? ""}`;
  const problems = referenceFaults(after);
  for (const node of nodesOf(before)) {
    const now = kept[node.id];
    const isDeleted = podsToDelete.includes(podNameOf(before, node));
    if (node.type === "Pod" && !now && !isDeleted) problems.push(`${what}: the pod of ${node.name} stays`);
    if (!now || now.phase === "Running" || now.phase === "Pending") continue;
    const others = (nodeStatus: NodeStatus) =>
      JSON.stringify(pairsOf(withResultOfOriginalPod(nodeStatus), "children", "outboundNodes"));
    if (others(now) !== others(node)) problems.push(`${what}: ${node.name} is kept and changed`);
    if (node.type === "Pod" && isDeleted) problems.push(`${what}: the pod of ${node.name}, which is kept, is deleted`);
    if (options.restartSuccessful && matches(options.nodeFieldSelector!, node) && node.type === "Pod") {
      problems.push(`${what}: ${node.name} is kept`);
    }
  }
  if (isCompletedPhase(after.status?.phase)) problems.push(`${what}: the workflow is ${after.status?.phase}`);
  for (const [id, pod] of [...world.pods]) if (podsToDelete.includes(pod.metadata.name!)) world.pods.delete(id);
  for (const id of [...world.results.keys()]) if (!(id in kept) || !world.pods.has(id)) world.results.delete(id);
  world.workflow = after;
  return { what, problems };
}

/** Replaces the workflow by a new run of it. */
export function applyResubmit(world: Scenario, options: Parameters<typeof formulateResubmit>[1], suffix: string): Act {
  const { now } = world;
  const before = world.workflow!;
  const made = formulateResubmit(before, options, now);
  const name = made.metadata.name ?? `w-${suffix}`;
  const metadata = { ...made.metadata, name, namespace: "default", uid: `uid-${name}` };
  world.workflow = { ...made, metadata: { ...metadata, creationTimestamp: now.toISOString() } };
  world.pods.clear();
  world.results.clear();
  const what = options.memoized ? "resubmit, memoized" : "resubmit";
  const problems = referenceFaults(world.workflow);
  if (!options.memoized && nodesOf(made).length) problems.push("a new run begins with nodes");
  return { what, problems };
}
