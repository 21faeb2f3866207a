/** The artifact repository of a workflow, read from ConfigMaps of the cluster. */
import { assertEquals } from "@std/assert";
import { ANNOTATION } from "@tiphys/base/constants";
import { CONFIGMAPS } from "@tiphys/kube";
import { LaneThread, silentLog } from "../../controller/mod.ts";
import { ControllerWorld } from "./world.ts";

async function addRepositories(world: ControllerWorld, name: string, data: Record<string, string>): Promise<void> {
  await world.client.create(CONFIGMAPS, "default", {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, annotations: { [ANNOTATION.defaultArtifactRepository]: "usual" } },
    data,
  });
}

function workflow(name: string, ref: string): string {
  return `
metadata: {name: ${name}}
spec:
  entrypoint: main
${ref}
  templates:
  - name: main
    container: {image: busybox, command: [echo]}
    outputs: {artifacts: [{name: out, path: /out}]}
`;
}

for (const isSlow of [false, true]) {
  const where = isSlow ? "the slow lane" : "the usual lane";
  Deno.test(`artifact repository: the default of the namespace and one that a workflow refers to are found in ${where}`, async () => {
    await using world = new ControllerWorld();
    await addRepositories(world, "artifact-repositories", {
      usual: "gcs: {bucket: usual}",
      other: "gcs: {bucket: other}",
    });
    await addRepositories(world, "stores", { usual: "gcs: {bucket: named}" });
    await world.startController({ lane: new LaneThread({ log: silentLog }), isSlow: () => isSlow });
    const refs: Record<string, string> = {
      usual: "",
      other: "  artifactRepositoryRef: {key: other}",
      named: "  artifactRepositoryRef: {configMap: stores}",
    };
    for (const [bucket, ref] of Object.entries(refs)) await world.submit(workflow(bucket, ref));
    await world.submit(workflow("missing", "  artifactRepositoryRef: {configMap: nothing}"));
    for (const bucket of Object.keys(refs)) {
      await world.waitUntil(`${bucket} has a pod`, async () => await world.pod(bucket) !== undefined);
      const { status } = await world.workflow(bucket);
      assertEquals(status?.artifactRepositoryRef?.artifactRepository, { gcs: { bucket } });
    }
    await world.waitUntil("the workflow ends", async () => (await world.workflow("missing")).status?.phase === "Error");
    assertEquals(
      (await world.workflow("missing")).status?.message,
      'failed to resolve artifact repository: failed to find any artifact repository for artifact repository ref "nothing#"',
    );
  });
}
