/**
 * Runs a random workflow until it fails, retries or resubmits it until it succeeds, and runs it once more as a new
 * workflow in which each pod ends as in the last attempt. Both runs must end with the same nodes: nothing was lost, and
 * nothing of an earlier attempt is left.
 */
import type { NodePhase, NodeStatus, Workflow } from "@tiphys/model/api";
import { isActiveSuspend, isCompletedPhase, isFailure, nodesOf, onExitNodeName } from "@tiphys/model/status";
import { ActionError, setNodes } from "@tiphys/engine/workflow_actions";
import { Scenario } from "../scenarios/scenario.ts";
import { applyResubmit, applyRetry } from "./people.ts";
import { type Chance, chanceOf, randomWorkflow } from "./workflow_of.ts";

type Fields = Record<string, unknown>;

/** The number of times that a workflow is run again. The last time, all of its pods succeed. */
const REPEATS = 3;

const MAX_EVENTS = 1500;

/** Runs the workflow of a seed. Returns the differences between its two runs, and the laws that were broken. */
export function playAgain(
  seed: number,
  action: "retry" | "resubmit",
  log: (line: string) => void = () => {},
): readonly string[] {
  const chance = chanceOf(seed);
  const { workflow, objects } = randomWorkflow(chance);
  removeTimeDependence(workflow);
  const made = () => {
    const world = new Scenario();
    for (const object of objects) world.addObject(object as Parameters<Scenario["addObject"]>[0]);
    world.load(JSON.stringify(workflow));
    return world;
  };
  const world = made();
  const problems: string[] = [];
  for (let repeats = 0;; repeats++) {
    run(world, chance, () => repeats < REPEATS && chance(4) === 0 ? "Failed" : "Succeeded", log);
    if (!isFailure(world.workflow!.status?.phase) || repeats === REPEATS) break;
    const before = nodesOf(world.workflow!);
    try {
      const act = action === "resubmit"
        ? applyResubmit(world, { memoized: { suffix: `${repeats}` } }, "")
        : applyRetry(world, {});
      log(act.what);
      problems.push(...act.problems, ...lostSuccesses(before, world.workflow!));
    } catch (error) {
      if (!(error instanceof ActionError)) throw error;
      break; // its failure is not that of a node
    }
    world.restart();
  }
  for (const node of nodesOf(world.workflow!)) {
    if (isRemembered(node) && world.pods.has(node.id)) problems.push(`${node.name} is skipped and has a pod`);
  }
  const { name = "" } = world.workflow!.metadata;
  const own = (node: NodeStatus) => node.name.slice(name.length);
  const ends = new Map(nodesOf(world.workflow!).map((node) => [own(node), phaseOf(node)]));
  const fresh = made();
  log("a new run");
  run(fresh, chance, (node) => isFailure(ends.get(node.slice(1))) ? "Failed" : "Succeeded", log);
  problems.push(...differences(endOf(world.workflow!), endOf(fresh.workflow!)));
  return problems;
}

/**
 * Removes what makes the end of a workflow depend on the order in which its pods end: times, `failFast`, hooks, and
 * mistakes, which end a group while others of its calls run.
 */
function removeTimeDependence(workflow: Fields): void {
  const spec = workflow["spec"] as Fields & { templates: Fields[] };
  for (const name of ["activeDeadlineSeconds", "hooks", "templateDefaults"]) delete spec[name];
  for (const template of spec.templates) {
    for (const name of ["timeout", "memoize", "failFast", "daemon"]) delete template[name];
    const { steps, dag } = template as { steps?: Fields[][]; dag?: Fields & { tasks: Fields[] } };
    if (dag) dag["failFast"] = false;
    if (template["suspend"]) template["suspend"] = {};
    // A lock within itself is a mistake.
    if (steps || dag) delete template["synchronization"];
    else if (template["synchronization"]) template["synchronization"] = { mutexes: [{ name: "m1" }] };
    for (const call of steps?.flat() ?? dag?.tasks ?? []) {
      for (const name of ["hooks", "arguments"]) delete call[name];
      if (call["onExit"] === "nowhere") delete call["onExit"];
      if (String(call["when"]).endsWith("==")) delete call["when"];
    }
  }
}

/** Runs a workflow to its end. Its pods, tasks of the agent and users end nodes one by one, in a random order. */
function run(
  world: Scenario,
  chance: Chance,
  endOfNode: (name: string) => "Succeeded" | "Failed",
  log: (line: string) => void,
): void {
  const { cluster } = world;
  for (let event = 0; event < MAX_EVENTS; event++) {
    const { requeueAt } = world.makePass();
    const { name = "" } = world.workflow!.metadata;
    const { status } = world.workflow!;
    const ways = nodesOf(world.workflow!).flatMap((node) => {
      const podPhase = world.pods.get(node.id)?.status?.phase;
      const isPodOpen = podPhase === "Pending" || podPhase === "Running";
      const isTask = node.type === "HTTP" && !node.finishedAt && !node.synchronizationStatus && cluster.agent;
      if (!isPodOpen && !isTask && !isActiveSuspend(node)) return [];
      return [() => {
        const phase = endOfNode(`w${node.name.slice(name.length)}`);
        log(`${node.name} ${phase}`);
        if (isPodOpen) world.setPodOf(node, phase, [phase === "Failed" ? "exit=1" : "exit=0"]);
        else if (isTask) cluster.answer(node.id, { phase });
        else world.workflow = setNodes(world.workflow!, `id=${node.id}`, { phase }, world.now);
      }];
    });
    if (cluster.agent?.status?.phase === "Pending") cluster.agent = { ...cluster.agent, status: { phase: "Running" } };
    else if (ways.length) ways[chance(ways.length)]!();
    else if (requeueAt !== undefined) world.now = new Date(Math.max(requeueAt, world.now.getTime()) + 1);
    else if (isCompletedPhase(status?.phase)) return;
    world.now = new Date(world.now.getTime() + 1000);
  }
  const open = nodesOf(world.workflow!).filter(({ phase }) => phase === "Running" || phase === "Pending");
  throw new Error(`does not end: ${open.map(({ name, phase }) => `${name} ${phase}`).join(", ")}`);
}

/** Whether a memoized resubmit skipped a pod because it succeeded in the earlier run. */
function isRemembered({ type, message }: NodeStatus): boolean {
  return type === "Skipped" && message?.startsWith("original pod: ") === true;
}

/** The phase of a node; that of the original pod if a memoized resubmit skipped it. */
function phaseOf(node: NodeStatus): NodePhase | undefined {
  return isRemembered(node) ? "Succeeded" : node.phase;
}

/** The end of a workflow: its phase, and the phases of its nodes by their names without its own. */
function endOf(workflow: Workflow): Map<string, string> {
  const { metadata: { name = "" }, status } = workflow;
  const nodes = nodesOf(workflow).map((node) => [node.name.slice(name.length), `${phaseOf(node)}`] as const);
  return new Map([["the workflow", `${status?.phase}`], ...nodes]);
}

function differences(repeated: ReadonlyMap<string, string>, fresh: ReadonlyMap<string, string>): string[] {
  const names = new Set([...repeated.keys(), ...fresh.keys()]);
  return [...names].filter((name) => repeated.get(name) !== fresh.get(name)).map((name) =>
    `${name} is ${repeated.get(name)}, and ${fresh.get(name)} in a new run`
  );
}

/** Pods that succeeded, do not belong to an exit handler and ran after no failure are kept. */
function lostSuccesses(before: readonly NodeStatus[], workflow: Workflow): string[] {
  const oldName = before[0]?.name ?? "";
  const { name = "" } = workflow.metadata;
  const kept = new Set(nodesOf(workflow).map((node) => node.name.slice(name.length)));
  const afterFailure = new Set<string>();
  const byId = new Map(before.map((node) => [node.id, node]));
  // A node after the exit handler of a failed node is after the failure.
  const around = (node: NodeStatus, other: NodeStatus) =>
    other.name.startsWith(node.name) && other.name !== onExitNodeName(node.name);
  const path = before.filter(({ phase }) => isFailure(phase)).flatMap((node) =>
    (node.children ?? []).flatMap((id) => byId.get(id) ?? []).filter((child) => !around(node, child))
  );
  for (const node of path) {
    if (afterFailure.has(node.id)) continue;
    afterFailure.add(node.id);
    path.push(...(node.children ?? []).flatMap((id) => byId.get(id) ?? []));
  }
  return before.filter((node) =>
    node.type === "Pod" && phaseOf(node) === "Succeeded" && !node.name.includes(".onExit") &&
    !afterFailure.has(node.id) && !kept.has(node.name.slice(oldName.length))
  ).map((node) => `${node.name} succeeded and is lost`);
}
