/** The test kit compared with the controller: over the embedded API, with pods that end as the test sets them. */
import { assertEquals } from "@std/assert";
import { simulate } from "../../simulate/mod.ts";
import { FakeKubelet } from "../../simulate/testing/fake_kubelet.ts";
import { ANNOTATION } from "@tiphys/base/constants";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { type KubeObject, WORKFLOW_TEMPLATES, WORKFLOWS } from "@tiphys/kube";
import { parseYaml } from "@tiphys/model/yaml";
import { ControllerWorld } from "../controller/world.ts";

const EXAMPLES = new URL("../../examples/", import.meta.url);

const FAILING = `
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: { generateName: failing- }
spec:
  entrypoint: main
  templates:
  - name: main
    dag:
      failFast: false
      tasks:
      - { name: broken, template: broken }
      - { name: after, depends: broken, template: fine }
      - { name: anyway, depends: broken.Failed, template: fine }
  - { name: broken, retryStrategy: { limit: 1 }, container: { image: busybox, command: [run] } }
  - { name: fine, container: { image: busybox, command: [run] } }
`;

/** Exit codes by the name of a template that does not succeed. */
const CODES: Readonly<Record<string, number>> = { broken: 3 };

const CASES: readonly [name: string, text: string][] = [
  ...["hello-world", "steps", "dag-diamond", "loops", "exit-handler", "template-ref"].map((name): [string, string] => [
    `examples/${name}.yaml`,
    Deno.readTextFileSync(new URL(`${name}.yaml`, EXAMPLES)),
  ]),
  ["a workflow that fails after a retry", FAILING],
];

for (const [name, text] of CASES) {
  Deno.test(`simulate: a run has the same status as under the controller: ${name}`, async () => {
    const run = await simulate(text, {
      templates: text === FAILING ? { broken: () => ({ exitCode: CODES.broken }) } : {},
    });
    assertEquals(comparable(run.workflow), comparable(await runOnController(text, run.workflow.metadata.name!)));
  });
}

/** The parts of a status that must be equal: everything except times, resource durations and machine names. */
function comparable({ status }: Workflow) {
  const nodes: readonly NodeStatus[] = Object.values(status?.nodes ?? {});
  const timeless = nodes.map(({ startedAt: _, finishedAt: _finished, hostNodeName: _host, ...node }) => ({
    ...node,
    resourcesDuration: undefined,
  }));
  return {
    phase: status?.phase,
    message: status?.message,
    progress: status?.progress,
    outputs: status?.outputs,
    nodes: Object.fromEntries(timeless.map((node) => [node.name, node])),
  };
}

async function runOnController(text: string, name: string): Promise<Workflow> {
  await using world = new ControllerWorld();
  using kubelet = new FakeKubelet({
    client: world.client,
    play({ metadata: { annotations } }) {
      const node = annotations?.[ANNOTATION.nodeName] ?? "";
      const code = Object.entries(CODES).find(([template]) => node.includes(`.${template}(`))?.[1];
      return { main: { exitCode: code ?? 0 } };
    },
  });
  await kubelet.start();
  await world.startController();
  for (const { value } of parseYaml(text)) {
    const object = value as unknown as KubeObject;
    if (object.kind === "Workflow") {
      const metadata = { ...object.metadata, generateName: undefined, name };
      await world.client.create(WORKFLOWS, "default", { ...object, metadata });
    } else await world.client.create(WORKFLOW_TEMPLATES, "default", object);
  }
  return await world.awaitEnd(name);
}
