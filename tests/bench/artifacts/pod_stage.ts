/**
 * Runs an executor's `init` or `wait` as in a pod: in a mount namespace with a new root that has the programs of this
 * machine, the executor, its secrets, and the volume of main. Requires root.
 */
import { COMPRESSION } from "../../../executor/pod/compression.ts";
import type { Content } from "./contents.ts";

/** An executor to measure. */
export interface Contender {
  readonly name: string;
  /** The folder that is mounted as `/argo-bin`, and the command in it. */
  readonly folder: string;
  readonly command: string;
}

/** The API server and the artifact store of a measurement. */
export interface DriverEnvironment {
  readonly api: { readonly port: number; readonly caFile: string };
  /** An s3 location without a key. */
  readonly store: Readonly<Record<string, unknown>>;
  /** Values of the secret `s`. */
  readonly secrets: Readonly<Record<string, string>>;
  /** The parent of the temporary roots. */
  readonly folder: string;
}

/**
 * The transfer of an artifact: its direction and packing. Without a key nothing is transferred, to measure the cost of
 * an idle executor.
 */
export interface Move {
  readonly direction: "save" | "load";
  readonly packing: "none" | "tar" | "zstd";
  readonly key?: string;
  readonly content?: Content;
  /** Path of the content to save. */
  readonly from?: string;
}

/** The cost of a transfer. */
export interface Cost {
  readonly wallSeconds: number;
  readonly cpuSeconds: number;
  /** MB (10^6 bytes). */
  readonly peakMegabytes: number;
}

/** Folders of this machine that a program needs to run. */
const MACHINE = ["/usr", "/bin", "/lib", "/lib64", "/etc", "/proc", "/dev", "/sys"];
const ACCOUNT = "var/run/secrets/kubernetes.io/serviceaccount";

/**
 * Transfers an artifact. Calls `look` with the root afterwards, to check the result. @throws {Error} with the last
 * output of the program.
 */
export async function moveArtifact(
  contender: Contender,
  around: DriverEnvironment,
  move: Move,
  look: (root: string) => Promise<void> = () => Promise.resolve(),
): Promise<Cost> {
  const root = await Deno.makeTempDir({ dir: around.folder, prefix: "stage-" });
  try {
    const script = await prepareRoot(root, contender, around, move);
    const words = move.direction === "save" ? "wait" : "init";
    const command =
      `exec /usr/sbin/chroot ${root} /usr/bin/time -o /cost -f '%e %U %S %M' ${contender.command} ${words}`;
    const { code, stderr } = await new Deno.Command("unshare", {
      args: ["--mount", "--propagation", "private", "sh", "-c", `set -e\n${script}\n${command}`],
      env: environmentOf(around, move),
      clearEnv: true,
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).output();
    const said = new TextDecoder().decode(stderr).trim();
    if (code !== 0) throw new Error(`${contender.name} ${words} exited with ${code}: ${said.slice(-2000)}`);
    await look(root);
    const [wall = NaN, user = NaN, system = NaN, peak = NaN] = (await Deno.readTextFile(`${root}/cost`))
      .trim().split(" ").map(Number);
    return { wallSeconds: wall, cpuSeconds: user + system, peakMegabytes: peak * 1024 / 1e6 };
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

/** Creates the files of the root. Returns the script that mounts the rest. */
async function prepareRoot(root: string, contender: Contender, around: DriverEnvironment, move: Move): Promise<string> {
  const made = ["argo/inputs/artifacts", "argo/secret/s", "var/run/argo/ctr/main", "mainctrfs/vol", "tmp", "argo-bin"];
  for (const folder of [...made, ACCOUNT]) await Deno.mkdir(`${root}/${folder}`, { recursive: true });
  await Deno.chmod(`${root}/tmp`, 0o1777);
  for (const [key, value] of Object.entries(around.secrets)) {
    await Deno.writeTextFile(`${root}/argo/secret/s/${key}`, value);
  }
  await Deno.copyFile(around.api.caFile, `${root}/${ACCOUNT}/ca.crt`);
  await Deno.writeTextFile(`${root}/${ACCOUNT}/token`, "a token");
  await Deno.writeTextFile(`${root}/${ACCOUNT}/namespace`, "bench");
  if (move.direction === "save") {
    await Deno.writeTextFile(`${root}/var/run/argo/template`, templateOf(around, move));
    await Deno.writeTextFile(`${root}/var/run/argo/ctr/main/exitcode`, "0");
  }
  const lines = [`mount --bind ${contender.folder} ${root}/argo-bin`];
  for (const folder of MACHINE) {
    const { isSymlink } = await Deno.lstat(folder);
    if (isSymlink) await Deno.symlink(await Deno.readLink(folder), `${root}${folder}`);
    else {
      await Deno.mkdir(`${root}${folder}`);
      lines.push(`mount --rbind ${folder} ${root}${folder}`);
    }
  }
  if (move.from !== undefined) {
    const { isFile } = await Deno.stat(move.from);
    const place = `${root}/mainctrfs/vol/content`;
    if (isFile) await Deno.writeTextFile(place, "");
    else await Deno.mkdir(place);
    lines.push(`mount --bind ${move.from} ${place}`);
  }
  return lines.join("\n");
}

function environmentOf(around: DriverEnvironment, move: Move): Record<string, string> {
  return {
    PATH: "/argo-bin/bin:/usr/bin:/bin",
    HOME: "/tmp",
    KUBERNETES_SERVICE_HOST: "127.0.0.1",
    KUBERNETES_SERVICE_PORT: `${around.api.port}`,
    ARGO_POD_NAME: "bench-pod",
    ARGO_POD_UID: "bench-uid",
    ARGO_WORKFLOW_NAME: "bench",
    ARGO_WORKFLOW_UID: "bench-uid",
    ARGO_NODE_ID: "bench",
    ARGO_CONTAINER_NAME: move.direction === "save" ? "wait" : "init",
    ARGO_DEADLINE: "0001-01-01T00:00:00Z",
    ARGO_INCLUDE_SCRIPT_OUTPUT: "false",
    ARGO_PROGRESS_FILE: "/var/run/argo/progress",
    ARGO_PROGRESS_PATCH_TICK_DURATION: "1m0s",
    ARGO_PROGRESS_FILE_TICK_DURATION: "3s",
    ...move.direction === "load" ? { ARGO_TEMPLATE: templateOf(around, move) } : {},
  };
}

function templateOf({ store }: DriverEnvironment, { key, direction, packing }: Move): string {
  const artifact = {
    name: "content",
    path: direction === "save" ? "/vol/content" : "/in",
    archive: packing === "none" ? { none: {} } : { tar: {} },
    s3: { ...store, key },
  };
  return JSON.stringify({
    name: "bench",
    ...packing === "zstd" ? { metadata: { annotations: { [COMPRESSION]: "zstd" } } } : {},
    container: { name: "main", image: "none", volumeMounts: [{ name: "vol", mountPath: "/vol" }] },
    volumes: [{ name: "vol", emptyDir: {} }],
    inputs: { artifacts: key !== undefined && direction === "load" ? [artifact] : [] },
    outputs: { artifacts: key !== undefined && direction === "save" ? [artifact] : [] },
  });
}
