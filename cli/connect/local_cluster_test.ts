import { assertEquals } from "@std/assert";
import { LABEL } from "@tiphys/base/constants";
import { connect } from "./connect.ts";
import { startLocalCluster } from "./local_cluster.ts";

const KIND = { apiVersion: "argoproj.io/v1alpha1", kind: "Workflow" };
const SPEC = { entrypoint: "main", templates: [{ name: "main", suspend: {} }] };

Deno.test("startLocalCluster: with an instance ID, the controller only reconciles workflows with its label", async () => {
  const dataDir = await Deno.makeTempDir({ prefix: "instance-" });
  const cluster = await startLocalCluster({
    dataDir,
    runtime: "host",
    instanceId: "one",
    verbose: false,
    log: () => {},
    onNotice: () => {},
  });
  const others = await connect({ dataDir });
  try {
    await others.service.create("default", { ...KIND, metadata: { name: "unlabelled" }, spec: SPEC });
    await cluster.service.create("default", { ...KIND, metadata: { name: "labelled" }, spec: SPEC });
    for await (const { object } of cluster.service.watch("default", {}, AbortSignal.timeout(60_000))) {
      if (object.status?.phase === "Running") break;
    }
    const { metadata, status } = await cluster.service.get("default", "labelled");
    assertEquals([metadata.labels?.[LABEL.instanceId], status?.phase], ["one", "Running"]);
    assertEquals((await others.service.get("default", "unlabelled")).status?.phase, undefined);
  } finally {
    await others.close();
    await cluster.close();
    await Deno.remove(dataDir, { recursive: true });
  }
});
