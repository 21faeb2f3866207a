/**
 * Runs the programs of our images as the images do: bundled, with their flags and permissions of Deno, on an embedded
 * API.
 */
import { CONFIGMAPS, type KubeObject } from "@tiphys/kube";
import { bundleProgram } from "../../scripts/build_executor.ts";
import { CONTROLLER, controllerObjects } from "../../scripts/gen_install.ts";
import { SERVER, serverObjects } from "../../scripts/gen_server.ts";
import { CONTROLLER_PROGRAM, SERVER_PROGRAM } from "../../scripts/image_programs.ts";
import { inNamespace, type KubernetesManifest, NAMESPACE } from "../../scripts/manifest_objects.ts";
import { denoFlags } from "../../scripts/portable_deno.ts";
import { awaitFact } from "../await_fact.ts";
import { type EmbeddedWithRoles, embeddedWithRoles } from "./embedded_account.ts";

/** The process of a program of an image. */
export interface ImageProcess extends AsyncDisposable {
  /** Its standard error so far. */
  output(): string;
  hasExited(): boolean;
  /** Ends the process with SIGTERM, as Kubernetes does. Returns its exit code. */
  end(): Promise<number>;
}

type Program = typeof CONTROLLER_PROGRAM | typeof SERVER_PROGRAM;

/** The bundled scripts of programs. Each program is bundled once. */
const bundled = new Map<Program, Promise<{ readonly folder: string; readonly script: string }>>();

globalThis.addEventListener("unload", () => {
  for (const folder of folders) Deno.removeSync(folder, { recursive: true });
});
const folders: string[] = [];

function scriptOf(program: Program) {
  const known = bundled.get(program);
  if (known) return known;
  const made = (async () => {
    const folder = await Deno.makeTempDir();
    folders.push(folder);
    return { folder, script: await bundleProgram(folder, program.entry, program.parts, program.flags) };
  })();
  bundled.set(program, made);
  return made;
}

/** Starts a program with the flags of its image, and without a writable cache folder for Deno. */
async function startProgram(
  program: Program,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<ImageProcess> {
  const { script } = await scriptOf(program);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", ...denoFlags(program), script, ...args],
    env: { DENO_DIR: "/dev/null", KUBECONFIG: "", ARGO_EXECUTOR_IMAGE: "argoexec:test", ...variables },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  let output = "";
  const read = (async () => {
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) output += text;
  })();
  let hasExited = false;
  const ended = Promise.all([child.status, read]).then(([{ code }]) => {
    hasExited = true;
    return code;
  });
  const end = async () => {
    if (!hasExited) child.kill("SIGTERM");
    return await ended;
  };
  return { output: () => output, hasExited: () => hasExited, end, [Symbol.asyncDispose]: async () => void await end() };
}

/** Starts the controller of the image on a cluster. */
export async function startController(
  cluster: EmbeddedWithRoles,
  variables?: Readonly<Record<string, string>>,
): Promise<ImageProcess> {
  const kubeconfig = await cluster.kubeconfig(NAMESPACE, CONTROLLER);
  const args = ["--kubeconfig", kubeconfig, "--namespace", NAMESPACE, "--health-port", "0"];
  return await startProgram(CONTROLLER_PROGRAM, args, variables);
}

/** Allows the server to connect to this machine, where the artifact stores of these tests run. Refused by default. */
const ALLOWED_LOOPBACK = { TIPHYS_ALLOWED_ADDRESSES: "127.0.0.1" };

/** Starts the server of the image on a cluster, and waits until it listens. */
export async function startServer(
  cluster: EmbeddedWithRoles,
  flags: readonly string[] = ["--secure=false"],
): Promise<ImageProcess & { readonly url: string }> {
  const kubeconfig = await cluster.kubeconfig(NAMESPACE, SERVER);
  const where = ["--kubeconfig", kubeconfig, "--namespace", NAMESPACE, "--port", "0", "--address", "127.0.0.1"];
  const server = await startProgram(SERVER_PROGRAM, ["server", ...where, ...flags], ALLOWED_LOOPBACK);
  const url = () => /url=(\S+)/.exec(server.output())?.[1];
  try {
    await awaitFact("the server listens or exits", () => url() !== undefined || server.hasExited(), { seconds: 120 });
    if (url() === undefined) throw new Error("The server exited before it listened");
  } catch (error) {
    await server.end();
    throw new Error(server.output(), { cause: error });
  }
  return { ...server, url: url()! };
}

/** The service accounts, roles and role bindings among the objects. */
export function accounts(objects: readonly KubernetesManifest[]) {
  return objects.filter(({ kind }) => /^(ServiceAccount|(Cluster)?Role(Binding)?)$/.test(kind)) as never;
}

/** Runs a function with an embedded API on which both programs have the rights of their manifests. */
export async function withCluster(use: (cluster: EmbeddedWithRoles) => Promise<void>): Promise<void> {
  await using cluster = await embeddedWithRoles();
  await cluster.apply(accounts([...controllerObjects().cluster, ...serverObjects().cluster.map(inNamespace)]));
  // Metrics are off because their fixed port would conflict with tests that run in parallel.
  await cluster.admin.create(CONFIGMAPS, NAMESPACE, {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "workflow-controller-configmap" },
    data: { metricsConfig: "enabled: false" },
  } as KubeObject);
  await use(cluster);
}

/** Errors of Deno about a missing permission or a missing module. */
export const DENO_ERROR = /Requires \w+ access|NotCapable|Cannot find module|Invalid URL|dynamic import/;
