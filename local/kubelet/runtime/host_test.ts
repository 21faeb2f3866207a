/** The host back end with real tiny programs: the same promises for every launcher that this machine allows. */

import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { bubblewrapLauncher } from "./bubblewrap.ts";
import { hostRuntime } from "./host.ts";
import type { Launcher } from "./launcher.ts";
import { removeTree } from "./remove_tree.ts";
import type { Container, ContainerRuntime, ContainerSpec, Mount } from "./runtime.ts";
import { SEARCH_PATH } from "./search_path.ts";
import { unshareLauncher } from "./unshare.ts";

const userNamespace = Deno.build.os === "linux" && Deno.uid() !== 0;
const launchers: readonly (readonly [string, Launcher])[] = [
  ["unshare with overlays", unshareLauncher({ userNamespace, overlays: true })],
  ["unshare", unshareLauncher({ userNamespace, overlays: false })],
  ["bubblewrap", bubblewrapLauncher()],
];

/** A runtime with one launcher, and a folder that is gone afterwards. */
class Bench implements AsyncDisposable {
  #count = 0;

  private constructor(readonly folder: string, readonly runtime: ContainerRuntime) {}

  static async make(launcher: Launcher): Promise<Bench> {
    const folder = await Deno.makeTempDir();
    return new Bench(folder, await hostRuntime({ folder, launcher }));
  }

  async start(
    command: readonly string[],
    rest: Partial<ContainerSpec> = {},
    output?: (text: string, stream: "stdout" | "stderr") => void,
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
      readOnlyRoot: false,
      mounts: [],
      ...rest,
    };
    return await this.runtime.start(spec, (stream, chunk) => output?.(new TextDecoder().decode(chunk), stream));
  }

  /** Runs a shell script, or any command, to its end. */
  async run(script: string | readonly string[], rest: Partial<ContainerSpec> = {}) {
    const written = { stdout: "", stderr: "" };
    const command = typeof script === "string" ? ["sh", "-c", script] : script;
    const container = await this.start(command, rest, (text, stream) => written[stream] += text);
    const ending = await container.ended;
    await container.remove();
    return { ...ending, ...written };
  }

  async volume(name: string, files: Record<string, string> = {}): Promise<string> {
    const folder = `${this.folder}/${name}`;
    await Deno.mkdir(folder);
    for (const [file, text] of Object.entries(files)) await Deno.writeTextFile(`${folder}/${file}`, text);
    return folder;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.runtime.close();
    await removeTree(this.folder);
  }
}

async function isAllowed(launcher: Launcher): Promise<boolean> {
  if (Deno.build.os !== "linux") return false;
  try {
    await using bench = await Bench.make(launcher);
    return (await bench.run("exit 7")).exitCode === 7;
  } catch {
    return false;
  }
}

/** Resolves when a container has written a text. */
function writes(wanted: string): { readonly sink: (text: string) => void; readonly seen: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>();
  let all = "";
  return {
    seen: promise,
    sink(text) {
      all += text;
      if (all.includes(wanted)) resolve();
    },
  };
}

const promises: readonly (readonly [string, (bench: Bench) => Promise<void>])[] = [
  ["keeps both streams and the exit code", async (bench) => {
    const { exitCode, reason, stdout, stderr } = await bench.run("echo out; echo err >&2; exit 3");
    assertEquals([exitCode, reason, stdout, stderr], [3, "Error", "out\n", "err\n"]);
    assertEquals((await bench.run("true")).reason, "Completed");
  }],
  ["gives exactly the environment it is told, whatever the names", async (bench) => {
    const env = new Map([["PATH", SEARCH_PATH], ["a.b-c", "1 2'3"]]);
    const { stdout } = await bench.run(["env"], { env });
    assertEquals(stdout.trim().split("\n").sort(), [`PATH=${SEARCH_PATH}`, "a.b-c=1 2'3"]);
  }],
  ["makes the program the first process, which sees no others", async (bench) => {
    const { stdout } = await bench.run("echo $$; ls /proc | grep -c '^[0-9]*$'");
    const [pid, processes] = stdout.split("\n").map(Number);
    assertEquals(pid, 1);
    assert(processes! < 6, `expected only the container's own processes, got ${processes}`);
  }],
  ["lets the container write to its root and to /tmp, and nothing of it reaches the machine", async (bench) => {
    const name = crypto.randomUUID();
    const { exitCode } = await bench.run(`echo x > /tmp/${name} && echo x > /${name} && ls /tmp/${name} /${name}`);
    assertEquals(exitCode, 0);
    assertEquals([isThere(`/tmp/${name}`), isThere(`/${name}`)], [false, false]);
  }],
  ["protects the machine's own files", async (bench) => {
    const name = crypto.randomUUID();
    await bench.run(`echo x > /etc/${name}; echo x > /usr/${name}; rm -f /etc/hostname`);
    assertEquals([isThere(`/etc/${name}`), isThere(`/usr/${name}`)], [false, false]);
    assertEquals(isThere("/etc/passwd"), true);
  }],
  ["does not show the homes of people", async (bench) => {
    assertEquals((await bench.run("ls -A /home /root")).stdout, "/home:\n\n/root:\n");
  }],
  ["mounts volumes at their paths, also where nothing was, one inside the other", async (bench) => {
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
  ["writes to no read-only volume", async (bench) => {
    const volume = await bench.volume("v", { file: "kept" });
    const mounts = [{ source: volume, target: "/v", readOnly: true }];
    assertEquals((await bench.run("echo x > /v/file", { mounts })).exitCode !== 0, true);
    assertEquals(await Deno.readTextFile(`${volume}/file`), "kept");
  }],
  ["begins in the working folder, and makes one that is missing", async (bench) => {
    assertEquals((await bench.run("pwd", { workingDir: "/tmp" })).stdout, "/tmp\n");
    assertEquals((await bench.run("pwd", { workingDir: "/made/here" })).stdout, "/made/here\n");
  }],
  ["writes to no root that is read-only", async (bench) => {
    assertEquals((await bench.run("echo x > /file", { readOnlyRoot: true })).exitCode !== 0, true);
  }],
  ["gives the pod's name as the host's", async (bench) => {
    assertEquals((await bench.run("hostname")).stdout, "pod-1\n");
  }],
  ["names a program that this machine has not, and the image", async (bench) => {
    const container = await bench.start(["no-such-program-here"]);
    const { exitCode, message } = await container.ended;
    assertEquals(exitCode, 127);
    assertStringIncludes(message ?? "", '"no-such-program-here" is not a program of this machine');
    assertStringIncludes(message ?? "", 'image "busybox" is not used');
    await container.remove();
  }],
  ["takes a program of a mounted folder for what it is", async (bench) => {
    const volume = await bench.volume("programs", { three: "#!/bin/sh\nexit 3\n" });
    await Deno.chmod(`${volume}/three`, 0o755);
    const mounts = [{ source: volume, target: "/v", readOnly: true }];
    const { exitCode, message } = await bench.run(["three"], { mounts, env: new Map([["PATH", `/v:${SEARCH_PATH}`]]) });
    assertEquals([exitCode, message], [3, undefined]);
  }],
  ["hands SIGTERM to the first process", async (bench) => {
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
  ["tells which signal a program died of", async (bench) => {
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
  ["ends every process with SIGKILL, also those that left their group", async (bench) => {
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
  ["runs a command beside the container's own, in the same place", async (bench) => {
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
  ["ends what runs when it is closed", async (bench) => {
    const container: Container = await bench.start(["sleep", "60"]);
    await bench.runtime.close();
    assertEquals((await container.ended).exitCode, 137);
  }],
];

for (const [name, launcher] of launchers) {
  const allowed = await isAllowed(launcher);
  for (const [promise, keep] of promises) {
    Deno.test({
      name: `the host back end (${name}) ${promise}${allowed ? "" : " (not allowed on this machine)"}`,
      ignore: !allowed,
      async fn() {
        await using bench = await Bench.make(launcher);
        await keep(bench);
      },
    });
  }
}

const asOthers = "unshare with overlays";
const [, first] = launchers[0]!;
Deno.test({
  name: `the host back end (${asOthers}) runs as another user when told, and so does what is run beside it`,
  ignore: !await isAllowed(first),
  async fn() {
    await using bench = await Bench.make(first);
    const { sink, seen } = writes("1234\n");
    const container = await bench.start(["sh", "-c", "id -u; sleep 60"], { user: 1234 }, sink);
    await seen;
    assertEquals((await container.exec(["id", "-u"])).stdout, "1234\n");
    await container.remove();
  },
});

Deno.test({
  name: `the host back end (${asOthers}) takes from root what would let it out`,
  ignore: !await isAllowed(first),
  async fn() {
    await using bench = await Bench.make(first);
    assertEquals((await bench.run("umount /proc 2>/dev/null || echo refused")).stdout, "refused\n");
  },
});

Deno.test({
  name: "containers do not outlive the process that started them, even when it is killed",
  ignore: !await isAllowed(first),
  async fn() {
    const folder = await Deno.makeTempDir();
    try {
      const fixture = new URL("./testing/outlived.ts", import.meta.url).pathname;
      const child = new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", "--no-check", fixture, folder],
        stdout: "piped",
      }).spawn();
      const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
      assertEquals((await reader.read()).value, "running\n");
      child.kill("SIGKILL");
      await child.status;
      await reader.cancel();
      for (let left = await processesWith(folder); left.length > 0; left = await processesWith(folder));
    } finally {
      await removeTree(folder);
    }
  },
});

function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/** The processes of this machine that have a mount of this folder, or name it. */
async function processesWith(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    if (!/^\d+$/.test(name) || Number(name) === Deno.pid) continue;
    const read = (file: string) => Deno.readTextFile(`/proc/${name}/${file}`).catch(() => "");
    if ((await read("mountinfo")).includes(folder) || (await read("cmdline")).includes(folder)) found.push(name);
  }
  return found;
}
