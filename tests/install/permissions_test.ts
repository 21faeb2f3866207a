/**
 * The programs of the images need no more permissions of Deno than the images grant. Imports other tests to share the
 * bundles.
 */
import "./controller_image_cases.ts";
import "./server_image_cases.ts";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Artifact, Workflow } from "@tiphys/model/api";
import { CONFIGMAPS, type KubeObject, WORKFLOW_TEMPLATES, WORKFLOWS } from "@tiphys/kube";
import { ALLOW_ALL } from "@tiphys/base/net";
import { openArtifact } from "@tiphys/service/artifacts";
import { serveArtifacts } from "../../local/embedded_artifacts.ts";
import { endedWorkflow } from "../../server/testing/archive_bench.ts";
import { NAMESPACE } from "../../scripts/manifest_objects.ts";
import { awaitFact } from "../await_fact.ts";
import { DENO_ERROR, startController, startServer, withCluster } from "./image_program.ts";

/** A workflow that succeeds without pods, so that only the controller is needed. */
const WITHOUT_PODS = {
  apiVersion: "argoproj.io/v1alpha1",
  kind: "Workflow",
  metadata: { name: "alone" },
  spec: { entrypoint: "none", templates: [{ name: "none", suspend: { duration: "0" } }] },
};

Deno.test("controller image: its Deno permissions are sufficient", () =>
  withCluster(async (cluster) => {
    await using controller = await startController(cluster);
    await cluster.admin.create(WORKFLOWS, NAMESPACE, WITHOUT_PODS);
    const phase = async () => (await cluster.admin.get<Workflow>(WORKFLOWS, NAMESPACE, "alone")).status?.phase;
    await awaitFact("the workflow succeeded", async () => await phase() === "Succeeded", { seconds: 120 })
      .catch((error) => {
        throw new Error(controller.output(), { cause: error });
      });
    assertEquals(DENO_ERROR.exec(controller.output())?.[0], undefined, controller.output());
  }));

Deno.test("server image: its Deno permissions are sufficient", () =>
  withCluster(async (cluster) => {
    await using server = await startServer(cluster);
    const headers = { authorization: `Bearer ${cluster.adminToken}` };
    const created = await fetch(`${server.url}/api/v1/workflows/${NAMESPACE}`, {
      method: "POST",
      headers,
      body: JSON.stringify({ workflow: WITHOUT_PODS }),
    });
    assertEquals(created.status, 200);
    assertStringIncludes(await created.text(), '"alone"');
    assertEquals(DENO_ERROR.exec(server.output())?.[0], undefined, server.output());
  }));

/** The content of the plugin's artifact. */
const LINES = "one\ntwo\n";

/** Starts an artifact plugin with files, with its socket in the folder that the server of the image searches. */
async function samplePlugin(files: Readonly<Record<string, string>>): Promise<AsyncDisposable & { name: string }> {
  const name = `sample-${crypto.randomUUID()}`;
  const sockets = `/tmp/artifact-plugins/${name}`;
  const folder = await Deno.makeTempDir();
  await Deno.mkdir(sockets, { recursive: true });
  for (const [file, text] of Object.entries(files)) await Deno.writeTextFile(`${folder}/${file}`, text);
  const program = new URL("../../lib/stores/plugin/testing/sample_plugin.ts", import.meta.url).pathname;
  const args = ["run", "-A", "--no-check", program, `${sockets}/socket`, folder];
  const child = new Deno.Command(Deno.execPath(), { args, stdin: "null", stdout: "null", stderr: "inherit" }).spawn();
  const isThere = () => Deno.stat(`${sockets}/socket`).then(() => true);
  await awaitFact("the plugin listens", isThere, { seconds: 120 });
  return {
    name,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.status;
      for (const path of [sockets, folder]) await Deno.remove(path, { recursive: true });
    },
  };
}

/** A completed workflow whose only node has output artifacts. */
function withArtifacts(artifactRepository: unknown, artifacts: readonly unknown[]): Workflow {
  const workflow = endedWorkflow("ended", 1);
  const { uid: _, ...metadata } = workflow.metadata;
  const { ended } = workflow.status!.nodes!;
  const nodes = { ended: { ...ended!, outputs: { artifacts: artifacts as Artifact[] } } };
  const status = { ...workflow.status, artifactRepositoryRef: { artifactRepository }, nodes };
  return { ...workflow, metadata: { ...metadata, namespace: NAMESPACE }, status } as Workflow;
}

Deno.test("server image: its Deno permissions are sufficient for artifacts, including plugins, and for uploads", () =>
  withCluster(async (cluster) => {
    await using plugin = await samplePlugin({ "main.log": LINES });
    await using opened = new AsyncDisposableStack();
    const dataDir = await Deno.makeTempDir();
    opened.defer(() => Deno.remove(dataDir, { recursive: true }));
    const store = opened.use(await serveArtifacts(cluster.api, { dataDir }));
    // An HTTP store needs the length first, so the server buffers the upload in a file.
    const taken: string[] = [];
    const web = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
      taken.push(`${request.headers.get("content-length")} ${await request.text()}`);
      return new Response(null, { status: 201 });
    });
    opened.defer(() => web.shutdown());
    const ofPlugin = { name: plugin.name, key: "main.log", configuration: "c", connectionTimeoutSeconds: 60 };
    const workflow = withArtifacts(store.repository, [
      { name: "written", raw: { data: "in the workflow itself" } },
      { name: "folder", s3: { key: "folder" } },
      { name: "kept", plugin: ofPlugin },
    ]);
    await cluster.admin.create(WORKFLOWS, NAMESPACE, workflow);
    const choice = { nodeId: "ended", artifactName: "folder" };
    {
      await using artifact = await openArtifact(cluster.admin, workflow, choice, { reach: ALLOW_ALL });
      assert("write" in artifact.driver);
      const content = ReadableStream.from([new TextEncoder().encode("deep")]);
      await artifact.driver.write({ ...artifact.place, key: "folder/sub/file" }, content, AbortSignal.timeout(60_000));
    }
    await cluster.admin.create(WORKFLOW_TEMPLATES, NAMESPACE, {
      apiVersion: "argoproj.io/v1alpha1",
      kind: "WorkflowTemplate",
      metadata: { name: "taking" },
      spec: {
        entrypoint: "none",
        artifactRepositoryRef: { configMap: "repositories", key: "one" },
        arguments: {
          artifacts: [{ name: "file" }, { name: "web", http: { url: `http://127.0.0.1:${web.addr.port}/web` } }],
        },
        templates: [{ name: "none", suspend: {} }],
      },
    } as KubeObject);
    await cluster.admin.create(CONFIGMAPS, NAMESPACE, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "repositories" },
      data: { one: JSON.stringify(store.repository) },
    } as KubeObject);
    await using server = await startServer(cluster);
    const headers = { authorization: `Bearer ${cluster.adminToken}` };
    const get = async (path: string, more = {}) => {
      const answer = await fetch(`${server.url}${path}`, { headers: { ...headers, ...more } });
      return [answer.status, await answer.text()];
    };
    const artifacts = `/artifacts/${NAMESPACE}/ended/ended`;
    const files = `/artifact-files/${NAMESPACE}/workflows/ended/ended/outputs/folder`;
    assertEquals(await get(`${artifacts}/written`), [200, "in the workflow itself"], server.output());
    assertEquals(await get(`${artifacts}/kept`), [200, LINES], server.output());
    assertEquals(await get(`${files}/sub/file`), [200, "deep"], server.output());
    assertEquals((await get(`${files}/`, { accept: "application/gzip" }))[0], 200, server.output());
    for (const argument of ["file", "web"]) {
      const body = new FormData();
      body.set("file", new File(["content of a file"], "a.txt"));
      const path = `${server.url}/upload-artifacts/${NAMESPACE}/taking/${argument}`;
      const sent = await fetch(path, { method: "POST", headers, body });
      assertEquals([sent.status, Object.keys(await sent.json())], [200, ["name", "key"]], server.output());
    }
    assertEquals(taken, ["17 content of a file"]);
    assertEquals(DENO_ERROR.exec(server.output())?.[0], undefined, server.output());
  }));
