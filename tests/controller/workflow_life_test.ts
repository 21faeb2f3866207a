/** The start of workflows, and their removal. */
import { assertEquals } from "@std/assert";
import { classifyError, PERSISTENT_VOLUME_CLAIMS } from "@tiphys/kube";
import { ControllerWorld, sleepingWorkflow } from "./world.ts";

Deno.test("TTL: an expired workflow is deleted with its pod", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  await world.submit(sleepingWorkflow("brief", "  ttlStrategy: {secondsAfterSuccess: 0, secondsAfterFailure: 600}"));
  await world.submit(sleepingWorkflow("kept", "  ttlStrategy: {secondsAfterSuccess: 0, secondsAfterFailure: 600}"));
  await world.startPod("brief");
  await world.startPod("kept");
  await world.endPod("kept", { main: { exitCode: 1 } });
  await world.awaitEnd("kept");
  await world.report((await world.pod("brief"))!, true);
  await world.endPod("brief");
  await world.awaitPodDeletion("brief");
  await world.waitUntil("the workflow is gone", () => world.workflow("brief").then(() => false, isNotFound));
  assertEquals((await world.workflow("kept")).status?.phase, "Failed");
});

const DEFAULTS = {
  spec: {
    podGC: { strategy: "OnWorkflowCompletion", deleteDelayDuration: "0s" },
    ttlStrategy: { secondsAfterCompletion: 600 },
    volumeClaimGC: { strategy: "OnWorkflowCompletion" },
  },
} as const;

Deno.test("TTL: defaults apply to a workflow that sets none, as they were when it ended", async () => {
  await using world = new ControllerWorld();
  world.configure({ workflowDefaults: DEFAULTS });
  await world.startController();
  const claim = "{metadata: {name: work}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Mi}}}}";
  await world.submit(sleepingWorkflow("plain", `  volumeClaimTemplates: [${claim}]`));
  await world.startPod("plain");
  await world.endPod("plain", { main: { exitCode: 1 } });
  await world.awaitPodDeletion("plain");
  const claims = async () => (await world.client.list(PERSISTENT_VOLUME_CLAIMS, "default")).items.length;
  await world.waitUntil("its claim is gone", async () => await claims() === 0);
  const { spec, status } = await world.workflow("plain");
  assertEquals([status?.phase, spec.ttlStrategy], ["Failed", { secondsAfterCompletion: 600 }]);

  world.configure({ workflowDefaults: { spec: { ttlStrategy: { secondsAfterCompletion: 0 } } } });
  await world.stopController();
  await world.submit(sleepingWorkflow("later"));
  await world.startController();
  await world.startPod("later");
  await world.endPod("later", { main: { exitCode: 1 } });
  await world.waitUntil("the later one is gone", () => world.workflow("later").then(() => false, isNotFound));
  assertEquals((await world.workflow("plain")).status?.phase, "Failed");
});

Deno.test("TTL: a workflow that ended in an error has the TTL for completion, not the one for failure", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  const broken = (name: string, ttl: string) => sleepingWorkflow(name, `  podSpecPatch: "{"\n  ttlStrategy: ${ttl}`);
  await world.submit(broken("kept", "{secondsAfterFailure: 0}"));
  await world.submit(broken("gone", "{secondsAfterFailure: 600, secondsAfterCompletion: 0}"));
  await world.waitUntil("the workflow is deleted", () => world.workflow("gone").then(() => false, isNotFound));
  assertEquals((await world.awaitEnd("kept")).status?.phase, "Error");
});

Deno.test("parallelism: a workflow waits with a message while the limit is reached, and starts when another has finished", async () => {
  await using world = new ControllerWorld();
  await world.startController({ limits: () => ({ parallelism: 1 }) });
  await world.submit(sleepingWorkflow("first"));
  const pod = await world.startPod("first");
  await world.submit(sleepingWorkflow("second"));
  await world.waitUntil("it is postponed", async () => (await world.workflow("second")).status?.phase === "Pending");
  const { message } = (await world.workflow("second")).status!;
  assertEquals(message, "Workflow processing has been postponed because too many workflows are already running");
  assertEquals(await world.pod("second"), undefined);
  await world.report(pod, true);
  await world.endPod("first");
  await world.awaitPod("second");
  assertEquals((await world.workflow("second")).status?.message, undefined);
});

function isNotFound(error: unknown): boolean {
  return classifyError(error) === "notFound";
}
