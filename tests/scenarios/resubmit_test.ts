/** Memoized resubmits: skipped pods count as pods that succeeded. */
import { assertEquals } from "@std/assert";
import { isCompletedPhase, nodesOf } from "@tiphys/model/status";
import { applyResubmit } from "../random_workflows/people.ts";
import { Scenario } from "./scenario.ts";

const WORKFLOW = `
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: w}
spec:
  entrypoint: main
  templates:
  - name: main
    dag:
      failFast: false
      tasks:
      - {name: one, template: make}
      - {name: many, template: make, withItems: [1, 2]}
      - {name: bad, template: bad}
      - {name: steps, template: steps}
      - {name: of-one, template: use, depends: one.Succeeded && bad.Succeeded, arguments: {parameters: [
          {name: p, value: "{{tasks.one.status}} {{tasks.one.outputs.parameters.o}}"}]}}
      - {name: if-one, template: use, depends: one && bad, when: "{{tasks.one.status}} == Succeeded",
         arguments: {parameters: [{name: p, value: ran}]}}
      - {name: if-skipped, template: use, depends: one.Skipped, arguments: {parameters: [{name: p, value: skipped}]}}
      - {name: of-many, template: use, depends: many.AnySucceeded && bad, arguments: {parameters: [
          {name: p, value: "{{tasks.many.outputs.parameters.o}} {{tasks.many.outputs.result}}"}]}}
  - name: steps
    steps:
    - - {name: many, template: make, withItems: [1, 2]}
      - {name: bad, template: bad}
    - - {name: of-many, template: use, arguments: {parameters: [
          {name: p, value: "{{steps.many.outputs.parameters.o}} {{steps.many.outputs.result}}"}]}}
  - name: make
    container: {image: busybox, command: [make]}
    outputs: {parameters: [{name: o, valueFrom: {path: /o}}]}
  - name: use
    inputs: {parameters: [{name: p}]}
    container: {image: busybox, command: [use, "{{inputs.parameters.p}}"]}
  - name: bad
    container: {image: busybox, command: [bad]}
`;

/** Runs a workflow to its end. Returns the commands of its pods, by display name. */
function play(world: Scenario, isBad: boolean): Map<string, readonly string[]> {
  const commands = new Map<string, readonly string[]>();
  for (let pass = 0; pass < 100 && !isCompletedPhase(world.workflow!.status?.phase); pass++) {
    world.now = new Date(world.now.getTime() + 1000);
    for (const action of world.makePass().actions) {
      if (action.kind !== "createPod") continue;
      const { name, displayName = "", templateName } = world.workflow!.status!.nodes![action.nodeId]!;
      const { command = [], args = [] } = action.pod.spec.containers.find(({ name }) => name === "main")!;
      const all = [...command, ...args];
      commands.set(name.replace(/^[^.]+/, ""), all.slice(all.indexOf("--") + 1));
      if (templateName === "make") world.report([name, `o=${displayName}`, "result=1"]);
      const fails = templateName === "fails" || (templateName === "bad" && isBad);
      world.setPod([name, fails ? "Failed" : "Succeeded"]);
    }
  }
  return commands;
}

Deno.test("resubmit: tasks and steps after skipped pods of a memoized one run as after pods that succeeded", () => {
  const fresh = new Scenario();
  fresh.load(WORKFLOW);
  const all = play(fresh, false);
  assertEquals(fresh.workflow?.status?.phase, "Succeeded");
  const world = new Scenario();
  world.load(WORKFLOW);
  const first = play(world, true);
  assertEquals(world.workflow?.status?.phase, "Failed");
  applyResubmit(world, { memoized: { suffix: "again" } }, "");
  world.restart();
  const second = play(world, false);
  assertEquals(world.workflow?.status?.phase, "Succeeded");
  assertEquals([...second.keys()].filter((name) => first.has(name)).sort(), [".bad", ".steps[0].bad"]);
  assertEquals(new Map([...first, ...second]), all);
  const skipped = nodesOf(world.workflow!).filter(({ type, phase }) => type === "Skipped" && phase === "Skipped");
  assertEquals(skipped.length, 5);
});

Deno.test("resubmit: a skipped task that handles the failure of another task still handles it", () => {
  const world = new Scenario();
  world.load(`
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: w}
spec:
  entrypoint: main
  templates:
  - name: main
    dag:
      failFast: false
      tasks:
      - {name: fails, template: fails}
      - {name: handles, template: use, depends: fails.Failed}
      - {name: bad, template: bad}
  - name: fails
    container: {image: busybox, command: [fails]}
  - name: use
    container: {image: busybox, command: [use]}
  - name: bad
    container: {image: busybox, command: [bad]}
`);
  play(world, true);
  assertEquals(world.workflow?.status?.phase, "Failed");
  applyResubmit(world, { memoized: { suffix: "again" } }, "");
  world.restart();
  assertEquals([...play(world, false).keys()], [".bad"]);
  assertEquals(world.workflow?.status?.phase, "Succeeded");
});
