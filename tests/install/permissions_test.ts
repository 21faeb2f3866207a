import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { Artifact, Workflow } from "../../lib/api/mod.ts";
import { CONFIGMAPS, type KubeObject, WORKFLOW_TEMPLATES, WORKFLOWS } from "../../lib/kube/mod.ts";
import { openArtifact } from "../../lib/workflow_service/artifacts.ts";
import { serveArtifacts } from "../../local/embedded_artifacts.ts";
import { bundleProgram } from "../../scripts/build_executor.ts";
import { CONTROLLER, controllerObjects } from "../../scripts/gen_install.ts";
import { SERVER, serverObjects } from "../../scripts/gen_server.ts";
import { CONTROLLER_PROGRAM, SERVER_PROGRAM } from "../../scripts/image_programs.ts";
import { endedWorkflow } from "../../server/testing/archive_bench.ts";
import { inNamespace, type Manifested, NAMESPACE } from "../../scripts/manifest_objects.ts";
import { denoFlags } from "../../scripts/portable_deno.ts";
import { awaitFact } from "../await_fact.ts";
import { type EmbeddedWithRoles, embeddedWithRoles } from "./embedded_account.ts";

/** A workflow that ends without a pod: everything that decides about it is the controller's. */
const WITHOUT_PODS = {
  apiVersion: "argoproj.io/v1alpha1",
  kind: "Workflow",
  metadata: { name: "alone" },
  spec: { entrypoint: "none", templates: [{ name: "none", suspend: { duration: "0" } }] },
};

/** A program as its image runs it, with what it said. */
interface Running extends AsyncDisposable {
  said(): string;
}

type Program = typeof CONTROLLER_PROGRAM | typeof SERVER_PROGRAM;

/** Starts a program with the flags of its image, and with no place for Deno to write to. */
async function startProgram(program: Program, args: readonly string[]): Promise<Running> {
  const folder = await Deno.makeTempDir();
  const script = await bundleProgram(folder, program.entry, program.parts, program.flags);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", ...denoFlags(program), script, ...args],
    env: { DENO_DIR: "/dev/null", KUBECONFIG: "", ARGO_EXECUTOR_IMAGE: "argoexec:test" },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  let said = "";
  const read = (async () => {
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) said += text;
  })();
  return {
    said: () => said,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await Promise.all([child.status, read]);
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** Objects that give accounts their rights. */
function accounts(objects: readonly Manifested[]) {
  return objects.filter(({ kind }) => /^(ServiceAccount|(Cluster)?Role(Binding)?)$/.test(kind)) as never;
}

async function withCluster(use: (cluster: EmbeddedWithRoles) => Promise<void>): Promise<void> {
  await using cluster = await embeddedWithRoles();
  await cluster.apply(accounts([...controllerObjects().cluster, ...serverObjects().cluster.map(inNamespace)]));
  // A port of its own would be in the way of a test beside it.
  await cluster.admin.create(CONFIGMAPS, NAMESPACE, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "workflow-controller-configmap" },
    data: { metricsConfig: "enabled: false" },
  } as KubeObject);
  await use(cluster);
}

const REFUSED = /Requires \w+ access|NotCapable/;

Deno.test("the controller works with the permissions of Deno that its image gives it, and asks for no other", () =>
  withCluster(async (cluster) => {
    const kubeconfig = await cluster.kubeconfig(NAMESPACE, CONTROLLER);
    const args = ["--kubeconfig", kubeconfig, "--namespace", NAMESPACE, "--health-port", "0"];
    await using controller = await startProgram(CONTROLLER_PROGRAM, args);
    await cluster.admin.create(WORKFLOWS, NAMESPACE, WITHOUT_PODS);
    const phase = async () => (await cluster.admin.get<Workflow>(WORKFLOWS, NAMESPACE, "alone")).status?.phase;
    await awaitFact("the workflow succeeded", async () => await phase() === "Succeeded", { seconds: 120 })
      .catch((error) => {
        throw new Error(controller.said(), { cause: error });
      });
    assertEquals(REFUSED.exec(controller.said())?.[0], undefined, controller.said());
  }));

Deno.test("the server works with the permissions of Deno that its image gives it, and asks for no other", () =>
  withCluster(async (cluster) => {
    const kubeconfig = await cluster.kubeconfig(NAMESPACE, SERVER);
    const where = ["--kubeconfig", kubeconfig, "--namespace", NAMESPACE, "--port", "0", "--address", "127.0.0.1"];
    await using server = await startProgram(SERVER_PROGRAM, ["server", ...where, "--secure=false"]);
    const url = () => /url=(\S+)/.exec(server.said())?.[1];
    await awaitFact("the server listens", () => url() !== undefined, { seconds: 120 }).catch((error) => {
      throw new Error(server.said(), { cause: error });
    });
    const headers = { authorization: `Bearer ${cluster.adminToken}` };
    const created = await fetch(`${url()}/api/v1/workflows/${NAMESPACE}`, {
      method: "POST",
      headers,
      body: JSON.stringify({ workflow: WITHOUT_PODS }),
    });
    assertEquals(created.status, 200);
    assertStringIncludes(await created.text(), '"alone"');
    assertEquals(REFUSED.exec(server.said())?.[0], undefined, server.said());
  }));

/** The lines that the log of a plugin keeps; every other store is asked for by its driver alone. */
const LINES = "one\ntwo\n";

/** A plugin where the server of an image finds it, which keeps these files. */
async function samplePlugin(files: Readonly<Record<string, string>>): Promise<AsyncDisposable & { name: string }> {
  const name = `sample-${crypto.randomUUID()}`;
  const sockets = `/tmp/artifact-plugins/${name}`;
  const folder = await Deno.makeTempDir();
  await Deno.mkdir(sockets, { recursive: true });
  for (const [file, text] of Object.entries(files)) await Deno.writeTextFile(`${folder}/${file}`, text);
  const program = new URL("../../lib/artifact/plugin/testing/sample_plugin.ts", import.meta.url).pathname;
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

/** A workflow that ended, with these artifacts in its one node. */
function withArtifacts(artifactRepository: unknown, artifacts: readonly unknown[]): Workflow {
  const workflow = endedWorkflow("ended", 1);
  const { uid: _, ...metadata } = workflow.metadata;
  const { ended } = workflow.status!.nodes!;
  const nodes = { ended: { ...ended!, outputs: { artifacts: artifacts as Artifact[] } } };
  const status = { ...workflow.status, artifactRepositoryRef: { artifactRepository }, nodes };
  return { ...workflow, metadata: { ...metadata, namespace: NAMESPACE }, status } as Workflow;
}

Deno.test("the server shows artifacts, those of plugins beside it too, and takes uploads, with the permissions of Deno that its image gives it", () =>
  withCluster(async (cluster) => {
    await using plugin = await samplePlugin({ "main.log": LINES });
    await using opened = new AsyncDisposableStack();
    const dataDir = await Deno.makeTempDir();
    opened.defer(() => Deno.remove(dataDir, { recursive: true }));
    const store = opened.use(await serveArtifacts(cluster.api, { dataDir }));
    const ofPlugin = { name: plugin.name, key: "main.log", configuration: "c", connectionTimeoutSeconds: 60 };
    const workflow = withArtifacts(store.repository, [
      { name: "written", raw: { data: "in the workflow itself" } },
      { name: "folder", s3: { key: "folder" } },
      { name: "kept", plugin: ofPlugin },
    ]);
    await cluster.admin.create(WORKFLOWS, NAMESPACE, workflow);
    const choice = { nodeId: "ended", artifactName: "folder" };
    {
      await using artifact = await openArtifact(cluster.admin, workflow, choice);
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
        arguments: { artifacts: [{ name: "file" }] },
        templates: [{ name: "none", suspend: {} }],
      },
    } as KubeObject);
    await cluster.admin.create(CONFIGMAPS, NAMESPACE, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "repositories" },
      data: { one: JSON.stringify(store.repository) },
    } as KubeObject);
    const kubeconfig = await cluster.kubeconfig(NAMESPACE, SERVER);
    const where = ["--kubeconfig", kubeconfig, "--namespace", NAMESPACE, "--port", "0", "--address", "127.0.0.1"];
    await using server = await startProgram(SERVER_PROGRAM, ["server", ...where, "--secure=false"]);
    const url = () => /url=(\S+)/.exec(server.said())?.[1];
    await awaitFact("the server listens", () => url() !== undefined, { seconds: 120 }).catch((error) => {
      throw new Error(server.said(), { cause: error });
    });
    const headers = { authorization: `Bearer ${cluster.adminToken}` };
    const get = async (path: string, more = {}) => {
      const answer = await fetch(`${url()}${path}`, { headers: { ...headers, ...more } });
      return [answer.status, await answer.text()];
    };
    const artifacts = `/artifacts/${NAMESPACE}/ended/ended`;
    const files = `/artifact-files/${NAMESPACE}/workflows/ended/ended/outputs/folder`;
    assertEquals(await get(`${artifacts}/written`), [200, "in the workflow itself"], server.said());
    assertEquals(await get(`${artifacts}/kept`), [200, LINES], server.said());
    assertEquals(await get(`${files}/sub/file`), [200, "deep"], server.said());
    assertEquals((await get(`${files}/`, { accept: "application/gzip" }))[0], 200, server.said());
    const body = new FormData();
    body.set("file", new File(["content of a file"], "a.txt"));
    const sent = await fetch(`${url()}/upload-artifacts/${NAMESPACE}/taking/file`, { method: "POST", headers, body });
    assertEquals([sent.status, Object.keys(await sent.json())], [200, ["name", "key"]], server.said());
    assertEquals(REFUSED.exec(server.said())?.[0], undefined, server.said());
  }));
