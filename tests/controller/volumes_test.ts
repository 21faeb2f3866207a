/** Volumes of a workflow whose tags refer to values that only the caller of a pod knows. */
import { assertEquals } from "@std/assert";
import { LABEL } from "@tiphys/base/constants";
import type { Pod } from "@tiphys/model/api";
import { PERSISTENT_VOLUME_CLAIMS, PODS } from "@tiphys/kube";
import { ControllerWorld } from "./world.ts";

const TEMPLATES = `
  - name: make
    container: {image: busybox, command: [echo]}
    outputs: {parameters: [{name: claim, valueFrom: {path: /tmp/claim, default: usual}}]}
  - name: use
    container: {image: busybox, command: [ls], volumeMounts: [{name: data, mountPath: /data}]}
`;

/** A workflow whose volume has a tag in its claim name. */
function workflow(name: string, tag: string, main: string): string {
  return `
metadata: {name: ${name}}
spec:
  entrypoint: main
  volumes: [{name: data, persistentVolumeClaim: {claimName: "{{workflow.name}}-${tag}"}}]
  templates:
  - name: main
${main}${TEMPLATES}`;
}

/** The claim that the only pod of a workflow mounts. */
async function claimOf(world: ControllerWorld, name: string): Promise<string | undefined> {
  let pod: Pod | undefined;
  await world.waitUntil(`a pod of ${name} is made`, async () => {
    const { items } = await world.client.list<Pod>(PODS, "default", { labelSelector: `${LABEL.workflow}=${name}` });
    pod = items[0];
    return pod !== undefined;
  });
  return pod!.spec.volumes?.find((volume) => volume.name === "data")?.persistentVolumeClaim?.claimName;
}

Deno.test("volumes: the default output of a skipped task names a volume of later tasks, in nested templates too", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  const tasks = (template: string) => `
    dag: {tasks: [{name: a, template: make, when: "false"}, {name: b, template: ${template}, depends: a}]}`;
  await world.submit(workflow("dag", "{{tasks.a.outputs.parameters.claim}}", tasks("use")));
  const below = `\n  - name: below\n    steps: [[{name: c, template: use}]]`;
  await world.submit(workflow("nested", "{{tasks.a.outputs.parameters.claim}}", tasks("below") + below));
  assertEquals(await claimOf(world, "dag"), "dag-usual");
  assertEquals(await claimOf(world, "nested"), "nested-usual");
});

Deno.test("volumes: an input of the enclosing steps names a volume", async () => {
  await using world = new ControllerWorld();
  await world.startController();
  const main = `
    inputs: {parameters: [{name: claim, value: mine}]}
    steps: [[{name: b, template: use}]]`;
  await world.submit(workflow("plain", "{{inputs.parameters.claim}}", main));
  assertEquals(await claimOf(world, "plain"), "plain-mine");
});

Deno.test("volumes: a workflow whose claim cannot be created reports the reason until it is created (LC-5)", async () => {
  await using world = new ControllerWorld();
  const message = 'persistentvolumeclaims "waits-data" is forbidden: exceeded quota: storage';
  let isFull = true;
  world.between = (sent, next) => {
    if (!isFull || sent.method !== "POST" || !sent.path.includes("/persistentvolumeclaims")) return next(sent.body);
    const status = { kind: "Status", code: 403, reason: "Forbidden", message };
    return Promise.resolve(Response.json(status, { status: 403 }));
  };
  await world.startController();
  await world.submit(`
metadata: {name: waits}
spec:
  entrypoint: main
  volumeClaimTemplates:
  - {metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Mi}}}}
  templates: [{name: main, container: {image: busybox, command: [ls]}}]
`);
  const messageOf = async () => (await world.workflow("waits")).status?.message;
  await world.waitUntil(
    "the message names the reason",
    async () => await messageOf() === `Waiting for a PVC to be created. ${message}`,
  );
  assertEquals(await world.pod("waits"), undefined);
  isFull = false;
  await world.awaitPod("waits");
  assertEquals((await world.client.list(PERSISTENT_VOLUME_CLAIMS, "default")).items.length, 1);
  await world.waitUntil("the message is removed", async () => await messageOf() === undefined);
});
