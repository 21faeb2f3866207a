/** The contract tests of all back ends, with real small programs. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import { giveToRoot } from "../../volumes/belonging.ts";
import { ControlGroups } from "../control_groups.ts";
import { removeTree } from "../../../image/remove_tree.ts";
import type { Container, ContainerRuntime, ContainerSpec, Mount } from "../runtime.ts";
import { SEARCH_PATH } from "../search_path.ts";
import { needs } from "../../../../lib/base/testing/needs.ts";

/** Creates a back end that stores everything in a folder. */
export type RuntimeMaker = (folder: string) => Promise<ContainerRuntime>;

/** A runtime with a temporary folder. */
export class Bench implements AsyncDisposable {
  #count = 0;

  private constructor(readonly folder: string, readonly runtime: ContainerRuntime) {}

  static async make(runtime: RuntimeMaker): Promise<Bench> {
    const folder = await Deno.makeTempDir();
    return new Bench(folder, await runtime(folder));
  }

  async start(
    command: readonly string[],
    spec: Partial<ContainerSpec> = {},
    output?: (text: string, stream: "stdout" | "stderr") => void,
  ) {
    return await this.startRaw(command, spec, (chunk, stream) => output?.(new TextDecoder().decode(chunk), stream));
  }

  /** Starts a container in the same way, and passes on its output as bytes. */
  async startRaw(
    command: readonly string[],
    overrides: Partial<ContainerSpec>,
    output: (chunk: Uint8Array, stream: "stdout" | "stderr") => void,
  ) {
    const id = `c${this.#count++}`;
    const spec: ContainerSpec = {
      id,
      folder: `${this.folder}/${id}`,
      image: "busybox",
      hostname: "pod-1",
      command,
      env: new Map([["PATH", SEARCH_PATH]]),
      workingDir: undefined,
      user: undefined,
      group: undefined,
      imageUser: "",
      readOnlyRoot: false,
      noNewPrivileges: false,
      memoryLimit: undefined,
      mounts: [],
      ...overrides,
    };
    return await this.runtime.start(spec, (stream, chunk) => output(chunk, stream));
  }

  /** Runs a shell script or command to its end. */
  async run(script: string | readonly string[], spec: Partial<ContainerSpec> = {}) {
    const written = { stdout: "", stderr: "" };
    const command = typeof script === "string" ? ["sh", "-c", script] : script;
    const container = await this.start(command, spec, (text, stream) => written[stream] += text);
    const ending = await container.ended;
    await container.remove();
    return { ...ending, ...written };
  }

  async volume(name: string, files: Record<string, string> = {}): Promise<string> {
    const folder = `${this.folder}/${name}`;
    await Deno.mkdir(folder);
    giveToRoot(folder, this.runtime.rootId);
    for (const [file, text] of Object.entries(files)) {
      await Deno.writeTextFile(`${folder}/${file}`, text);
      giveToRoot(`${folder}/${file}`, this.runtime.rootId);
    }
    return folder;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.runtime.close();
    await removeTree(this.folder);
  }
}

/** Reports whether this machine supports a back end. */
export async function isAllowed(runtime: RuntimeMaker): Promise<boolean> {
  if (Deno.build.os !== "linux") return false;
  try {
    await using bench = await Bench.make(runtime);
    return (await bench.run("exit 7")).exitCode === 7;
  } catch {
    return false;
  }
}

/** Reports whether this machine supports memory limits of processes. */
export async function limitsMemory(): Promise<boolean> {
  const group = ControlGroups.onThisMachine(crypto.randomUUID()).make({ memory: 2 ** 30 });
  await group?.remove();
  return group !== undefined;
}

/** Resolves when a container has written a text. */
export function writes(expected: string): { readonly sink: (text: string) => void; readonly seen: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  let all = "";
  return {
    seen: promise,
    sink(text) {
      all += text;
      if (all.includes(expected)) resolve();
    },
  };
}

/** The title of a test, and the test. */
export type RuntimeTest = readonly [string, (bench: Bench) => Promise<void>];

/** Variables that engines set in every container. */
const FROM_ENGINES = new Set(["HOSTNAME", "TERM", "container"]);

/**
 * The tests of all back ends. The image is named `busybox` and contains sh, cat, env, id, ls, sleep, hostname, setsid
 * and similar programs.
 */
export const PROMISES: readonly RuntimeTest[] = [
  ["keeps both streams and the exit code", async (bench) => {
    const { exitCode, reason, stdout, stderr } = await bench.run("echo out; echo err >&2; exit 3");
    assertEquals([exitCode, reason, stdout, stderr], [3, "Error", "out\n", "err\n"]);
    assertEquals((await bench.run("true")).reason, "Completed");
  }],
  ["sets exactly the given environment, with any names", async (bench) => {
    const env = new Map([["PATH", SEARCH_PATH], ["HOME", "/h"], ["a.b-c", "1 2'3"]]);
    const lines = (await bench.run(["env"], { env })).stdout.trim().split("\n");
    for (const [name, value] of env) assert(lines.includes(`${name}=${value}`), `${name} is missing in ${lines}`);
    const others = lines.map((line) => line.slice(0, line.indexOf("="))).filter((name) => !env.has(name));
    assertEquals(others.filter((name) => !FROM_ENGINES.has(name)), []);
  }],
  ["runs the program as the first process, which sees no others", async (bench) => {
    const { stdout } = await bench.run("echo $$; ls /proc | grep -c '^[0-9]*$'");
    const [pid, processes] = stdout.split("\n").map(Number);
    assertEquals(pid, 1);
    assert(processes! < 6, `expected only the container's own processes, got ${processes}`);
  }],
  ["lets the container write to its root and to /tmp without changing the machine", async (bench) => {
    const name = crypto.randomUUID();
    const { exitCode } = await bench.run(`echo x > /tmp/${name} && echo x > /${name} && ls /tmp/${name} /${name}`);
    assertEquals(exitCode, 0);
    assertEquals([isThere(`/tmp/${name}`), isThere(`/${name}`)], [false, false]);
  }],
  ["mounts volumes at their paths, even if a path does not exist or is inside another volume", async (bench) => {
    const outer = await bench.volume("outer");
    const inner = await bench.volume("inner", { file: "inside" });
    const mounts: Mount[] = [
      { source: outer, target: "/var/run/argo", readOnly: false },
      { source: outer, target: "/a/b c/d", readOnly: false },
      { source: inner, target: "/a/b c/d/e", readOnly: false },
    ];
    const { stdout } = await bench.run("cat '/a/b c/d/e/file'; echo out > /var/run/argo/made", { mounts });
    assertEquals(stdout, "inside");
    assertEquals(await Deno.readTextFile(`${outer}/made`), "out\n");
  }],
  ["mounts single files", async (bench) => {
    const volume = await bench.volume("v", { log: "" });
    const mounts = [{ source: `${volume}/log`, target: "/dev/termination-log", readOnly: false }];
    await bench.run("echo why > /dev/termination-log", { mounts });
    assertEquals(await Deno.readTextFile(`${volume}/log`), "why\n");
  }],
  ["cannot write to a read-only volume", async (bench) => {
    const volume = await bench.volume("v", { file: "kept" });
    const mounts = [{ source: volume, target: "/v", readOnly: true }];
    assertEquals((await bench.run("echo x > /v/file", { mounts })).exitCode !== 0, true);
    assertEquals(await Deno.readTextFile(`${volume}/file`), "kept");
  }],
  ["starts in the working folder, and creates a missing one", async (bench) => {
    assertEquals((await bench.run("pwd", { workingDir: "/tmp" })).stdout, "/tmp\n");
    assertEquals((await bench.run("pwd", { workingDir: "/made/here" })).stdout, "/made/here\n");
  }],
  ["cannot write to a read-only root", async (bench) => {
    assertEquals((await bench.run("echo x > /file", { readOnlyRoot: true })).exitCode !== 0, true);
  }],
  ["uses the pod's name as the host name", async (bench) => {
    assertEquals((await bench.run("hostname")).stdout, "pod-1\n");
  }],
  ["sends SIGTERM to the first process", async (bench) => {
    const { sink, seen } = writes("ready");
    const container = await bench.start(
      ["sh", "-c", "trap 'exit 9' TERM; echo ready; while :; do sleep 0.05; done"],
      {},
      sink,
    );
    await seen;
    container.signal("SIGTERM");
    assertEquals((await container.ended).exitCode, 9);
  }],
  ["reports the signal that killed a program", async (bench) => {
    const { sink, seen } = writes("ready");
    let complaint = "";
    const container = await bench.start(["sh", "-c", "echo ready; exec sleep 60"], {}, (text, stream) => {
      if (stream === "stderr") complaint += text;
      sink(text);
    });
    await seen;
    container.signal("SIGKILL");
    assertEquals([(await container.ended).exitCode, complaint], [137, ""]);
    assertEquals((await bench.run("sh -c 'kill -SEGV $$'")).exitCode, 139);
  }],
  ["kills every process with SIGKILL, including those that left their group", async (bench) => {
    const volume = await bench.volume("v");
    const { sink, seen } = writes("ready");
    const script = "setsid sh -c 'while :; do echo x > /v/alive; sleep 0.02; done' & echo ready; wait";
    const mounts = [{ source: volume, target: "/v", readOnly: false }];
    const container = await bench.start(["sh", "-c", script], { mounts }, sink);
    await seen;
    container.signal("SIGKILL");
    assertEquals((await container.ended).exitCode, 137);
    await container.remove();
    assertEquals(await processesWith(volume), []);
  }],
  ["runs an additional command in the same environment", async (bench) => {
    const volume = await bench.volume("v", { file: "shared" });
    const mounts = [{ source: volume, target: "/v", readOnly: false }];
    const container = await bench.start(["sleep", "60"], { mounts, workingDir: "/v" });
    assertEquals(await container.exec(["sh", "-c", "cat file; ls /proc/1 >/dev/null; exit 4"]), {
      exitCode: 4,
      stdout: "shared",
      stderr: "",
    });
    await container.remove();
    await assertRejects(() => container.exec(["true"]), Error, "it is not running");
  }],
  ["abandons a command that never stops writing, and runs the next one", async (bench) => {
    const container = await bench.start(["sleep", "60"]);
    await assertRejects(() => container.exec(["cat", "/dev/zero"]), Error, "more than 16777216 bytes");
    assertEquals((await container.exec(["hostname"])).stdout, "pod-1\n");
    await container.remove();
  }],
  ["passes a command's output as bytes to a reader without buffering it", async (bench) => {
    const container = await bench.start(["sleep", "60"]);
    const received: Record<string, number[]> = { stdout: [], stderr: [] };
    const output = (stream: "stdout" | "stderr", chunk: Uint8Array) => void received[stream]!.push(...chunk);
    const script = "printf '\\377\\000x'; printf e >&2; exit 5";
    const ended = await container.exec(["sh", "-c", script], { streams: { output } });
    assertEquals([ended, received], [{ exitCode: 5, stdout: "", stderr: "" }, {
      stdout: [255, 0, 120],
      stderr: [101],
    }]);
    await container.remove();
  }],
  ["ends running processes when it is closed", async (bench) => {
    const container: Container = await bench.start(["sleep", "60"]);
    await bench.runtime.close();
    assertEquals((await container.ended).exitCode, 137);
  }],
];

/** The test for back ends that can limit memory. */
export const MEMORY_PROMISE: RuntimeTest = [
  "kills a container that exceeds its memory limit, with the reason",
  async (bench) => {
    assertEquals(await reasonOfTooMuchMemory(bench), "OOMKilled");
    assertEquals((await bench.run("exit 3", { memoryLimit: 2 ** 25 })).reason, "Error");
  },
];

/**
 * Returns the reason of a container whose program exceeds its memory limit by a factor of four.
 * @throws if it is not ended by SIGKILL.
 */
export async function reasonOfTooMuchMemory(bench: Bench): Promise<string> {
  const script = 'x=aaaaaaaa; i=0; while [ $i -lt 24 ]; do x=$x$x; i=$((i + 1)); done; echo "${#x}"';
  const { exitCode, reason, stdout } = await bench.run(script, { memoryLimit: 2 ** 25 });
  assertEquals([exitCode, stdout], [137, ""]);
  return reason;
}

/**
 * Defines a test for each entry. Tests are skipped if the machine does not support the back end, for lack of `what`.
 */
export async function testPromises(
  name: string,
  operation: string,
  runtime: RuntimeMaker,
  promises: readonly RuntimeTest[],
): Promise<void> {
  const allowed = await isAllowed(runtime);
  for (const [promise, keep] of promises) {
    Deno.test({
      ...needs(operation, allowed, `the ${name} ${promise}`),
      async fn() {
        await using bench = await Bench.make(runtime);
        await keep(bench);
      },
    });
  }
}

/** Reports whether a path exists. */
export function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** The processes of this machine that have a mount below this folder, or refer to it. */
export async function processesWith(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name) || Number(name) === Deno.pid) continue;
    const read = (file: string) => Deno.readTextFile(`/proc/${name}/${file}`).catch(() => "");
    if ((await read("mountinfo")).includes(folder) || (await read("cmdline")).includes(folder)) found.push(name);
  }
  return found;
}
