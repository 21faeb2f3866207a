import { assertEquals, assertRejects } from "@std/assert";
import type { Workflow } from "../../lib/api/mod.ts";
import { WORKFLOWS } from "../../lib/kube/mod.ts";
import { ClusterService } from "../../lib/workflow_service/mod.ts";
import { openStore } from "../../local/mod.ts";
import { connect } from "./connect.ts";
import { EmbeddedArchive, keepPersistence } from "./embedded_archive.ts";

const AT = "2026-01-01T00:00:00Z";

const OFFLOADED: Workflow = {
  apiVersion: "argoproj.io/v1alpha1",
  kind: "Workflow",
  metadata: { name: "w" },
  spec: { entrypoint: "main", templates: [{ name: "main", suspend: {} }] },
  status: { phase: "Running", startedAt: AT, offloadNodeStatusVersion: "fnv:1" },
};

const NODES = {
  w: { id: "w", name: "w", displayName: "w", type: "Suspend", phase: "Running", templateName: "main", startedAt: AT },
};

/** A data folder with a workflow whose nodes lie in the archive that `file` names, or in its own. */
async function withFolder(act: (dataDir: string) => Promise<void>, file?: (dataDir: string) => string) {
  const dataDir = await Deno.makeTempDir({ prefix: "embedded" });
  try {
    await keepPersistence(dataDir, file && { nodeStatusOffLoad: true, sqlite: { file: file(dataDir) } });
    const store = await openStore(dataDir);
    const client = store.client();
    const { metadata } = await client.create<Workflow>(WORKFLOWS, "default", OFFLOADED);
    const archive = new EmbeddedArchive(dataDir, () => Promise.reject(new Error("a file asks for no secret")));
    const row = { uid: metadata.uid ?? "", version: "fnv:1", namespace: "default" };
    await archive.nodes.save(row, JSON.stringify(NODES), new Date());
    await assertRejects(() => new ClusterService(client).get("default", "w"), Error, "ARGO_SERVER");
    await archive.close();
    store.close();
    await act(dataDir);
  } finally {
    await Deno.remove(dataDir, { recursive: true });
  }
}

Deno.test("commands see and change the nodes of a workflow of the embedded cluster that lie in its database", () =>
  withFolder(async (dataDir) => {
    const { service, close } = await connect({ dataDir });
    assertEquals(Object.keys((await service.get("default", "w")).status?.nodes ?? {}), ["w"]);
    const seen: (string | undefined)[] = [];
    const enough = new AbortController();
    for await (const { status } of service.follow("default", "w", enough.signal)) {
      seen.push(status?.nodes?.w?.phase);
      if (seen.length === 1) await service.resume("default", "w");
      else enough.abort();
    }
    assertEquals(seen, ["Running", "Succeeded"]);
    await close();
  }));

Deno.test("commands find the database that the cluster was started with, where that is not its own", () =>
  withFolder(async (dataDir) => {
    const { service, close } = await connect({ dataDir });
    assertEquals((await service.get("default", "w")).status?.nodes?.w?.phase, "Running");
    await close();
    const names = [...Deno.readDirSync(dataDir)].map(({ name }) => name);
    assertEquals([names.includes("other.db"), names.includes("archive.sqlite")], [true, false]);
  }, (dataDir) => `${dataDir}/other.db`));
