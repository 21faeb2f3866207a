/**
 * A daemon with an unexpected node status crashed the controller, also after each restart, so that no workflow
 * continued.
 */
import { assertEquals } from "@std/assert";
import { stringify } from "yaml";
import type { Pod, Workflow } from "@tiphys/model/api";
import { API_VERSION, LABEL } from "@tiphys/base/constants";
import { PODS, WORKFLOWS } from "@tiphys/kube";
import { ControllerWorld, sleepingWorkflow } from "../controller/world.ts";

const container = { image: "busybox", command: ["true"] };

/** A daemon with a retry strategy, in steps and in a DAG, and a step that uses its IP address. */
const SPEC = {
  entrypoint: "main",
  templates: [
    {
      name: "main",
      steps: [
        [{ name: "d", template: "daemon" }, { name: "dag", template: "dag" }],
        [{ name: "use", template: "use", arguments: { parameters: [{ name: "ip", value: "{{steps.d.ip}}" }] } }],
      ],
    },
    {
      name: "dag",
      dag: { tasks: [{ name: "d", template: "daemon" }, { name: "e", template: "daemon", depends: "d" }] },
    },
    { name: "daemon", daemon: true, retryStrategy: { limit: 2 }, container },
    { name: "use", inputs: { parameters: [{ name: "ip" }] }, container },
  ],
};

const ended = { terminated: { exitCode: 1 } };

/** Malformed statuses of a daemon's pod, which no kubelet would write. */
const POD_STATES: readonly unknown[] = [
  {},
  { phase: "Running" },
  { phase: "Running", containerStatuses: [] },
  { phase: "Running", containerStatuses: [{ name: "other", ready: true, state: { running: {} } }] },
  { phase: "Running", containerStatuses: [{ name: "main", ready: true }] },
  { phase: "Running", podIP: "{{workflow.name}}", containerStatuses: [{ name: "main", ready: true, state: {} }] },
  { phase: "Failed" },
  { phase: "Failed", containerStatuses: [{ name: "main", ready: true, state: {} }] },
  { phase: "Failed", containerStatuses: [{ name: "main", state: { terminated: { exitCode: -1 } } }] },
  {
    phase: "Failed",
    containerStatuses: [{ name: "main", state: { ...ended, running: {} } }, { name: "main", state: ended }],
  },
  { phase: "Succeeded", containerStatuses: [{ name: "main", ready: false, state: { terminated: { exitCode: 999 } } }] },
  { phase: "Nonsense", reason: "x".repeat(10_000), message: "\u0000" },
  { phase: "Unknown", startTime: "no time" },
];

const NODE = {
  id: "w",
  name: "w",
  displayName: "w",
  type: "Pod",
  phase: "Running",
  templateName: "daemon",
  daemoned: true,
};

/** Malformed statuses that a user may write into a workflow. */
const STATUSES: readonly Record<string, unknown>[] = [
  { phase: "Running", nodes: {} },
  { phase: "Running", nodes: { w: { ...NODE, boundaryID: "nobody", children: ["nobody", "w"] } } },
  {
    phase: "Running",
    nodes: { w: { ...NODE, type: "Steps", outboundNodes: ["w"] }, x: { ...NODE, id: "x", name: "w[0].d" } },
  },
  { phase: "Running", nodes: { w: { ...NODE, type: "Retry", children: ["w(0)", "w(0)"] } } },
  { phase: "Running", nodes: { w: { ...NODE, type: "Nonsense", phase: "Nonsense", templateName: "nobody" } } },
  { phase: "Running", nodes: { w: { id: "w" } } },
  { phase: "Running", nodes: { other: NODE } },
  {
    phase: "Running",
    nodes: { w: { ...NODE, startedAt: "2099-01-01T00:00:00Z", finishedAt: "1970-01-01T00:00:00Z" } },
  },
  { phase: "Running", nodes: { w: { ...NODE, templateRef: { name: "nobody", template: "nothing" } } } },
  {
    phase: "Running",
    nodes: { w: { ...NODE, outputs: { parameters: [{ name: "p" }], exitCode: "many" }, podIP: "" } },
  },
  { phase: "Running", compressedNodes: "H4sI" },
  { phase: "Nonsense", storedTemplates: { "": {} } },
];

Deno.test("CVE-2024-47827: malformed statuses of daemons and their pods stop no other workflow, also after a restart", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  for (const [index, status] of STATUSES.entries()) {
    const workflow = { apiVersion: API_VERSION, kind: "Workflow", metadata: { name: `w${index}` }, spec: SPEC, status };
    // The API server may reject the status, which is safe as well.
    await world.client.create<Workflow>(WORKFLOWS, "default", workflow as Workflow).catch(() => {});
  }
  for (const [index, status] of POD_STATES.entries()) {
    await world.submit(stringify({ metadata: { name: `odd-${index}` }, spec: SPEC }));
    let pods: Pod[] = [];
    await world.waitUntil(`the daemon of odd-${index} has a pod`, async () => {
      const { items } = await world.client.list<Pod>(PODS, "default", {
        labelSelector: `${LABEL.workflow}=odd-${index}`,
      });
      pods = items;
      return pods.length > 0;
    });
    for (const { metadata } of pods) await world.setStatus(metadata.name!, status as object).catch(() => {});
  }
  for (const name of ["before", "after"]) {
    await world.submit(sleepingWorkflow(name));
    await world.startPod(name);
    await world.endPod(name, { main: { exitCode: 1 } });
    assertEquals((await world.awaitEnd(name)).status?.phase, "Failed");
    await world.stopController();
    await world.startController();
  }
});
