/** Tests that logs in the embedded store are deleted with the archived row of their workflow. */
import { assertEquals } from "@std/assert";
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { type KubeObject, WORKFLOWS } from "@tiphys/kube";
import { ALLOW_ALL } from "@tiphys/base/net";
import { podNameOf } from "@tiphys/model/status";
import { openArtifact } from "@tiphys/service/artifacts";
import { serveArtifacts } from "../../local/embedded_artifacts.ts";
import { archiveBench, endedWorkflow } from "../testing/archive_bench.ts";

type Server = Awaited<ReturnType<typeof archiveBench>>["server"];

const DELETED = "/api/v1/archived-workflows/uid-w";

/**
 * Archives a workflow with the log of its pod in a store, sends a request to delete its row, and returns the remaining
 * objects.
 */
async function remainingAfterDelete(
  endpointOf: (own: string) => string,
  act: (server: Server, archived: Workflow) => Promise<void> = () => Promise.resolve(),
): Promise<readonly unknown[]> {
  await using opened = new AsyncDisposableStack();
  const dataDir = await Deno.makeTempDir({ prefix: "logs-" });
  opened.defer(() => Deno.remove(dataDir, { recursive: true }));
  const { server, archive } = opened.use(await archiveBench());
  const { repository } = opened.use(await serveArtifacts(server.api, { dataDir }));
  const at = (endpoint: string) => {
    const workflow = endedWorkflow("w", 1);
    const node = workflow.status!.nodes!.w!;
    const key = `w/${podNameOf(workflow, node)}/main.log`;
    const outputs = { artifacts: [{ name: "main-logs", s3: { key } }] };
    const artifactRepository = { s3: { ...repository.s3, endpoint } };
    const status = { ...workflow.status, artifactRepositoryRef: { artifactRepository } };
    return { ...workflow, status: { ...status, nodes: { w: { ...node, outputs } as NodeStatus } } } as Workflow;
  };
  const own = repository.s3?.endpoint ?? "";
  await using log = await openArtifact(server.admin, at(own), {
    nodeId: "w",
    artifactName: "main-logs",
  }, { reach: ALLOW_ALL });
  if (!("write" in log.driver)) throw new TypeError("expected a store of objects");
  const never = new AbortController().signal;
  await log.driver.write(log.place, ReadableStream.from([new TextEncoder().encode("hello")]), never);
  const archived = at(endpointOf(own));
  await archive.archive(archived);
  await act(server, archived);
  const { status } = await server.ask("DELETE", DELETED);
  const left: string[] = [];
  for await (const { name } of log.driver.list({ ...log.place, key: "" }, never)) left.push(name);
  return [status, await archive.get("uid-w"), left.length];
}

Deno.test("archive: deleting a row through the server deletes its logs in the embedded store", async () => {
  assertEquals(await remainingAfterDelete((own) => own), [200, undefined, 0]);
});

Deno.test("archive: a request with a UID returns the log of that workflow, not of a new one with the same name", async () => {
  await remainingAfterDelete((own) => own, async (server, { metadata: { namespace, name }, spec }) => {
    const alive = {
      apiVersion: "argoproj.io/v1alpha1",
      kind: "Workflow",
      metadata: { name, namespace },
      spec,
    } as KubeObject;
    await server.admin.create(WORKFLOWS, namespace, alive);
    const log = `/api/v1/workflows/${namespace}/${name}/log?logOptions.container=main`;
    assertEquals((await (await server.ask("GET", log)).text()).includes("hello"), false);
    assertEquals((await (await server.ask("GET", `${log}&uid=uid-w`)).text()).includes("hello"), true);
  });
});

Deno.test("archive: logs in another store are kept when the row is deleted", async () => {
  assertEquals(await remainingAfterDelete(() => "127.0.0.1:1"), [200, undefined, 1]);
});
