/**
 * Builds the cluster's programs from Go modules, once per content of `programs/`, and keeps them in the user's cache.
 */
import { hasProgram, outputOf, passThrough } from "../../scripts/command.ts";
import { type ClusterSettings, KUBERNETES_VERSION } from "./settings.ts";

const SOURCE = new URL("./programs/", import.meta.url).pathname;

/** Programs of modules that have a `main` package: built unchanged. */
const INSTALLED: readonly { readonly program: string; readonly module: string }[] = [
  { program: "containerd", module: "github.com/containerd/containerd/v2/cmd/containerd@v2.3.7" },
  {
    program: "containerd-shim-runc-v2",
    module: "github.com/containerd/containerd/v2/cmd/containerd-shim-runc-v2@v2.3.7",
  },
  { program: "ctr", module: "github.com/containerd/containerd/v2/cmd/ctr@v2.3.7" },
  { program: "coredns", module: "github.com/coredns/coredns@v1.14.2" },
];

/** Programs of our own `programs/` module. */
const BUILT = ["kubernetes", "pause"] as const;

const GO = { CGO_ENABLED: "0", GOFLAGS: "-trimpath -buildvcs=false", GOWORK: "off" };

/**
 * The folder of the cluster's programs. Builds them if they are missing: about ten minutes on two cores with a cold Go
 * cache.
 */
export async function clusterPrograms(settings: ClusterSettings): Promise<string> {
  const folder = await programsFolder(settings);
  await Deno.mkdir(folder, { recursive: true });
  const there = new Set([...Deno.readDirSync(folder)].map((entry) => entry.name));
  const missing = BUILT.filter((program) => !there.has(program));
  const uninstalled = INSTALLED.filter(({ program }) => !there.has(program));
  if (missing.length + uninstalled.length > 0) await ensureGo();
  for (const program of missing) {
    await build(folder, program, ["go", "build", "-C", SOURCE, "-ldflags", linkerFlags(), "-o", "{}", `./${program}`]);
  }
  for (const { program, module } of uninstalled) {
    await build(folder, program, ["go", "install", "-ldflags", "-s -w", module]);
  }
  await linkKubectl(folder);
  return folder;
}

/** The Helm release with which charts are tested. */
const HELM_VERSION = "v4.3.1";

/**
 * The program `helm` of this machine, or one that is built with Go (some minutes with a cold Go cache); undefined
 * without Go.
 */
export async function helmProgram({ cache }: ClusterSettings): Promise<string | undefined> {
  if (await hasProgram("helm")) return "helm";
  const folder = `${cache}/cluster/helm-${HELM_VERSION}`;
  const program = `${folder}/helm`;
  if (await Deno.stat(program).then(() => true, () => false)) return program;
  if (!(await hasProgram("go"))) return undefined;
  await Deno.mkdir(folder, { recursive: true });
  const module = `helm.sh/helm/v4/cmd/helm@${HELM_VERSION}`;
  const isBuilt = await build(folder, "helm", ["go", "install", "-ldflags", "-s -w", module]).then(
    () => true,
    (error) => {
      console.error(error.message);
      return false;
    },
  );
  return isBuilt ? program : undefined;
}

/** The folder of the cluster's kubectl, if it has been built. */
export async function builtKubectl(settings: ClusterSettings): Promise<string | undefined> {
  const folder = await programsFolder(settings);
  return await Deno.stat(`${folder}/kubectl`).then(() => folder, () => undefined);
}

async function programsFolder(settings: ClusterSettings): Promise<string> {
  return `${settings.cache}/cluster/${await contentKey()}`;
}

/** A hash of the programs' content as a folder name: it changes with any source, module or version. */
async function contentKey(): Promise<string> {
  const parts = [JSON.stringify(INSTALLED), linkerFlags()];
  for (const file of ["go.mod", "go.sum", "kubernetes/main.go", "pause/main.go"]) {
    parts.push(await Deno.readTextFile(SOURCE + file));
  }
  const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(parts.join("\0"))));
  return [...sum.slice(0, 8)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** The flags that set the version. Clients treat the default v0.0.0 as a version without any feature. */
function linkerFlags(): string {
  const [major, minor] = KUBERNETES_VERSION.slice(1).split(".");
  const version = { gitVersion: KUBERNETES_VERSION, gitMajor: major, gitMinor: minor, gitTreeState: "clean" };
  const assignments = Object.entries(version).map(([name, value]) =>
    `-X k8s.io/component-base/version.${name}=${value}`
  );
  return ["-s", "-w", ...assignments].join(" ");
}

/** Builds into a temporary folder and renames the result: an interrupted build leaves no partial program. */
async function build(folder: string, program: string, command: readonly string[]): Promise<void> {
  console.error(`Building ${program}`);
  const making = await Deno.makeTempDir({ dir: folder, prefix: ".making-" });
  try {
    const code = await passThrough(command.map((word) => word === "{}" ? `${making}/${program}` : word), {
      env: { ...GO, GOBIN: making },
    });
    if (code !== 0) throw new Error(`Building ${program} failed: \`${command.join(" ")}\` ended with ${code}`);
    await Deno.rename(`${making}/${program}`, `${folder}/${program}`);
  } finally {
    await Deno.remove(making, { recursive: true });
  }
}

async function ensureGo(): Promise<void> {
  if (!(await hasProgram("go"))) {
    throw new Error("Building a cluster requires Go 1.26 or newer; install it, or set E2E_KUBECONFIG to a cluster");
  }
  console.error(`With ${(await outputOf(["go", "version"])).trim()}: the first build takes about ten minutes`);
}

async function linkKubectl(folder: string): Promise<void> {
  try {
    await Deno.symlink("kubernetes", `${folder}/kubectl`);
  } catch (error) {
    if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
  }
}
