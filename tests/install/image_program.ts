/** Programs of our images as these run them: bundled, with their flags and permissions of Deno, beside an embedded API. */
import { CONFIGMAPS, type KubeObject } from "@tiphys/kube";
import { bundleProgram } from "../../scripts/build_executor.ts";
import { CONTROLLER, controllerObjects } from "../../scripts/gen_install.ts";
import { SERVER, serverObjects } from "../../scripts/gen_server.ts";
import { CONTROLLER_PROGRAM, SERVER_PROGRAM } from "../../scripts/image_programs.ts";
import { inNamespace, type Manifested, NAMESPACE } from "../../scripts/manifest_objects.ts";
import { denoFlags } from "../../scripts/portable_deno.ts";
import { awaitFact } from "../await_fact.ts";
import { type EmbeddedWithRoles, embeddedWithRoles } from "./embedded_account.ts";

/** A program as its image runs it, with what it said. */
export interface Running extends AsyncDisposable {
  said(): string;
  /** Whether it has ended. */
  isOver(): boolean;
  /** Ends it as Kubernetes does; its exit code. */
  end(): Promise<number>;
}

type Program = typeof CONTROLLER_PROGRAM | typeof SERVER_PROGRAM;

/** The scripts of programs, which are bundled once. */
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

/** Starts a program with the flags of its image, and with no place for Deno to write to. */
async function startProgram(
  program: Program,
  args: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<Running> {
  const { script } = await scriptOf(program);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", ...denoFlags(program), script, ...args],
    env: { DENO_DIR: "/dev/null", KUBECONFIG: "", ARGO_EXECUTOR_IMAGE: "argoexec:test", ...variables },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  let said = "";
  const read = (async () => {
    for await (const text of child.stderr.pipeThrough(new TextDecoderStream())) said += text;
  })();
  let isOver = false;
  const ended = Promise.all([child.status, read]).then(([{ code }]) => {
    isOver = true;
    return code;
  });
  const end = async () => {
    if (!isOver) child.kill("SIGTERM");
    return await ended;
  };
  return { said: () => said, isOver: () => isOver, end, [Symbol.asyncDispose]: async () => void await end() };
}

/** Starts the controller of the image over a cluster. */
export async function startController(
  cluster: EmbeddedWithRoles,
  variables?: Readonly<Record<string, string>>,
): Promise<Running> {
  const kubeconfig = await cluster.kubeconfig(NAMESPACE, CONTROLLER);
  const args = ["--kubeconfig", kubeconfig, "--namespace", NAMESPACE, "--health-port", "0"];
  return await startProgram(CONTROLLER_PROGRAM, args, variables);
}

/** The stores of these tests are on this machine, which a server does not connect to otherwise. */
const STORES_HERE = { TIPHYS_ALLOWED_ADDRESSES: "127.0.0.1" };

/** Starts the server of the image over a cluster, and waits until it listens. */
export async function startServer(
  cluster: EmbeddedWithRoles,
  flags: readonly string[] = ["--secure=false"],
): Promise<Running & { readonly url: string }> {
  const kubeconfig = await cluster.kubeconfig(NAMESPACE, SERVER);
  const where = ["--kubeconfig", kubeconfig, "--namespace", NAMESPACE, "--port", "0", "--address", "127.0.0.1"];
  const server = await startProgram(SERVER_PROGRAM, ["server", ...where, ...flags], STORES_HERE);
  const url = () => /url=(\S+)/.exec(server.said())?.[1];
  try {
    await awaitFact("the server listens or ends", () => url() !== undefined || server.isOver(), { seconds: 120 });
    if (url() === undefined) throw new Error("The server ended before it listened");
  } catch (error) {
    await server.end();
    throw new Error(server.said(), { cause: error });
  }
  return { ...server, url: url()! };
}

/** Objects that give accounts their rights. */
export function accounts(objects: readonly Manifested[]) {
  return objects.filter(({ kind }) => /^(ServiceAccount|(Cluster)?Role(Binding)?)$/.test(kind)) as never;
}

/** Runs over an embedded API on which both programs have the rights of their manifests. */
export async function withCluster(use: (cluster: EmbeddedWithRoles) => Promise<void>): Promise<void> {
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

/** The words by which a program of an image says that it may not do something, or lacks a module. */
export const REFUSED = /Requires \w+ access|NotCapable|Cannot find module|Invalid URL|dynamic import/;
