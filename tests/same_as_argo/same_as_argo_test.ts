/** Every case of `cases/`, run by the real controller over the embedded API, ends as it ended in Argo. */
import { assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { CLUSTER_WORKFLOW_TEMPLATES, type KubeObject, WORKFLOW_TEMPLATES, WORKFLOWS } from "@tiphys/kube";
import { resumeWorkflow } from "@tiphys/engine/workflow_actions";
import { parseYaml } from "@tiphys/model/yaml";
import { awaitFact } from "../await_fact.ts";
import { ControllerWorld } from "../controller/world.ts";
import { knownDifferences } from "./known.ts";
import { differences, outcomeOf } from "./outcome.ts";
import { startPodKubelet } from "./pod_kubelet.ts";

const HERE = new URL("./", import.meta.url);
const RECORDED = JSON.parse(Deno.readTextFileSync(new URL("recorded.json", HERE)));
const KNOWN = knownDifferences(Deno.readTextFileSync(new URL("known.txt", HERE)));

/** Actions of a user on a workflow, by the command of Argo's CLI. */
const ACTIONS: Readonly<Record<string, (workflow: Workflow) => Workflow>> = {
  stop: (workflow) => ({ ...workflow, spec: { ...workflow.spec, shutdown: "Stop" } }),
  terminate: (workflow) => ({ ...workflow, spec: { ...workflow.spec, shutdown: "Terminate" } }),
  resume: (workflow) => resumeWorkflow(workflow, new Date()),
};

const KINDS = [WORKFLOWS, WORKFLOW_TEMPLATES, CLUSTER_WORKFLOW_TEMPLATES];

/** The number of workflows that run at a time. */
const LANES = 16;
const SECONDS = 180;

Deno.test("same as Argo: small workflows of every kind end as in Argo, field by field, except for accepted differences", async (t) => {
  await using world = new ControllerWorld();
  using _kubelet = await startPodKubelet(world);
  await world.startController();
  const waiting = Object.keys(RECORDED).sort();
  const seen = new Map<string, string[]>();
  const lane = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const workflow = await runCase(world, name);
      seen.set(
        name,
        differences(outcomeOf(workflow), RECORDED[name], name).filter((line) => !KNOWN.some((may) => may.test(line))),
      );
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  for (const name of Object.keys(RECORDED).sort()) await t.step(name, () => assertEquals(seen.get(name), []));
});

async function runCase(world: ControllerWorld, name: string): Promise<Workflow> {
  const text = await Deno.readTextFile(new URL(`cases/${name}.yaml`, HERE));
  const objects = parseYaml(text).map(({ value }) => value as KubeObject);
  for (const object of objects.toSorted((a, b) => Number(a.kind === "Workflow") - Number(b.kind === "Workflow"))) {
    const resource = KINDS.find(({ kind }) => kind === object.kind)!;
    await world.client.create(resource, resource.namespaced ? "default" : undefined, object);
  }
  for (const [, node = "", phase = "", action = ""] of text.matchAll(/^# at (\S+)=(\w+): (\w+) /gm)) {
    await act(world, name, { node, phase, action });
  }
  let workflow = await world.workflow(name);
  await awaitWorkflow(world, name, "has ended", (now) => {
    workflow = now;
    return now.status?.finishedAt !== undefined;
  });
  return workflow;
}

async function act(
  world: ControllerWorld,
  name: string,
  { node, phase, action }: { readonly node: string; readonly phase: string; readonly action: string },
): Promise<void> {
  await awaitWorkflow(
    world,
    name,
    `has a node ${node} that is ${phase}`,
    ({ status }) =>
      Object.values(status?.nodes ?? {}).some((candidate) =>
        candidate.displayName === node && candidate.phase === phase
      ),
  );
  const workflow = await world.workflow(name);
  const change = ACTIONS[action];
  if (change === undefined) throw new Error(`No action is called "${action}"`);
  const { spec, status } = change(workflow);
  await world.client.patch(WORKFLOWS, "default", name, { spec: { shutdown: null, suspend: null, ...spec }, status });
}

async function awaitWorkflow(
  world: ControllerWorld,
  name: string,
  fact: string,
  holds: (workflow: Workflow) => boolean,
): Promise<void> {
  await awaitFact(`${name} ${fact}`, async () => holds(await world.workflow(name)), { seconds: SECONDS });
}
