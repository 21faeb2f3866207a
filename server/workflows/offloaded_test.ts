import { assertEquals, assertRejects } from "@std/assert";
import type { Workflow } from "../../lib/api/mod.ts";
import { OpenArchive } from "../../lib/archive/mod.ts";
import { systemClock } from "../../lib/clock/mod.ts";
import { WORKFLOWS } from "../../lib/kube/mod.ts";
import { silentLog } from "../../lib/log.ts";
import { UnreadableNodesError } from "../../lib/nodes/mod.ts";
import { ArchiveSource } from "../archive/archive_source.ts";
import { NAMESPACE, serverBench } from "../testing/server_bench.ts";
import { wholeWorkflow } from "./offloaded.ts";

Deno.test("a workflow whose nodes lie in the database is shown with them, and one whose nodes are gone is not", async () => {
  const folder = await Deno.makeTempDir({ prefix: "offloaded" });
  try {
    const settings = { sqlite: { file: `${folder}/archive.db` } };
    const secret = () => Promise.reject(new Error("a file asks for no secret"));
    await using made = await OpenArchive.open(settings, { clock: systemClock, log: silentLog, secret });
    await using archive = new ArchiveSource({ settings, log: silentLog, secret });
    await using bench = await serverBench(["server"], { archive });
    const workflow = await bench.admin.create<Workflow>(WORKFLOWS, NAMESPACE, {
      apiVersion: "argoproj.io/v1alpha1",
      kind: "Workflow",
      metadata: { name: "w" },
      spec: {},
      status: { phase: "Running", offloadNodeStatusVersion: "fnv:1" },
    });
    const uid = workflow.metadata.uid ?? "";
    const nodes = { w: { id: "w", name: "w", type: "Pod", phase: "Running" } };
    await made.nodes.save({ uid, version: "fnv:1", namespace: NAMESPACE }, JSON.stringify(nodes), new Date());
    const shown = await (await bench.ask("GET", `/api/v1/workflows/${NAMESPACE}/w`)).json();
    assertEquals(Object.keys(shown.status.nodes), ["w"]);
    assertEquals(shown.status.offloadNodeStatusVersion, undefined);
    const gone = { ...workflow, status: { ...workflow.status, offloadNodeStatusVersion: "fnv:2" } };
    await assertRejects(() => wholeWorkflow({ archive }, gone), UnreadableNodesError, "fnv:2 are missing");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
