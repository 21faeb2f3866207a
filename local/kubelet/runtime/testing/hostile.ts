/** Containers that try to escape: one suite for all back ends, with real small programs. */

import { assert, assertEquals } from "@std/assert";
import { type Address, canMakePrograms, KernelProgram } from "@tiphys/portable/elf";
import { giveToRoot } from "../../volumes/belonging.ts";
import { MAX_PROCESSES } from "../launcher.ts";
import type { Mount } from "../runtime.ts";
import { startProgram } from "../start_program.ts";
import { type Probe, probe, runInside, runOutside } from "./prober.ts";
import { type Bench, isThere, type RuntimeTest, writes } from "./promises.ts";

const EPERM = 1;
const EAGAIN = 11;
const ENOSYS = 38;
const AT_FDCWD = -100;
const S_IFCHR = 0o020000;
const CLONE_NEWUSER = 0x1000_0000;
const AF_INET = 2;
const AF_PACKET = 17;
const SOCK_RAW = 3;

/** The default capabilities of container engines without raw sockets and devices, as the bits of `CapEff`. */
const GRANTED = 0xa00405fbn;

/** System calls that affect the machine. */
const REFUSED: readonly Probe[] = [
  { name: "add_key", numbers: [248, 217], args: ["user", "k", "v", 1, -4] },
  { name: "keyctl", numbers: [250, 219], args: [0, -3, 0] },
  { name: "request_key", numbers: [249, 218], args: ["user", "k", 0, 0] },
  { name: "bpf", numbers: [321, 280], args: [0, 0, 0] },
  { name: "perf_event_open", numbers: [298, 241], args: [0, 0, -1, -1, 0] },
  { name: "kexec_load", numbers: [246, 104], args: [0, 0, 0, 0] },
  { name: "init_module", numbers: [175, 105], args: [0, 0, ""] },
  { name: "open_by_handle_at", numbers: [304, 265], args: [AT_FDCWD, 0, 0] },
  { name: "mount", numbers: [165, 40], args: ["none", "/tmp", "tmpfs", 0, 0] },
  { name: "open_tree", numbers: [428, 428], args: [AT_FDCWD, "/", 1] },
  { name: "fsopen", numbers: [430, 430], args: ["tmpfs", 0] },
  { name: "pivot_root", numbers: [155, 41], args: ["/", "/"] },
  { name: "unshare", numbers: [272, 97], args: [CLONE_NEWUSER] },
  { name: "setns", numbers: [308, 268], args: [0, 0] },
  { name: "clone", numbers: [56, 220], args: [CLONE_NEWUSER | 17, 0, 0, 0, 0] },
  { name: "a raw socket", numbers: [41, 198], args: [AF_INET, SOCK_RAW, 1] },
  { name: "a socket for packets", numbers: [41, 198], args: [AF_PACKET, SOCK_RAW, 0] },
  { name: "a socket into the kernel's cryptography", numbers: [41, 198], args: [38, 5, 0] },
  { name: "a socket into another machine's memory", numbers: [41, 198], args: [40, 1, 0] },
  { name: "a socket to the machine's vehicle bus", numbers: [41, 198], args: [29, SOCK_RAW, 1] },
  { name: "a socket to the machine's radio", numbers: [41, 198], args: [31, 5, 0] },
  { name: "a pair of sockets of a cluster's protocol", numbers: [53, 199], args: [30, 1, 0, 0] },
  { name: "io_uring_setup", numbers: [425, 425], args: [1, 0] },
  { name: "userfaultfd", numbers: [323, 282], args: [0] },
  { name: "a device", numbers: [259, 33], args: [AT_FDCWD, "/tmp/mem", S_IFCHR | 0o666, 0x101] },
];

/** The tests for all back ends. */
export const HOSTILE: readonly RuntimeTest[] = [
  [
    "kernel settings and control groups cannot be opened for writing, and kernel actions cannot be triggered",
    async (bench) => {
      const files = [
        ...["kernel/core_pattern", "kernel/modprobe", "vm/overcommit_memory", "fs/binfmt_misc/register"]
          .map((name) => `/proc/sys/${name}`),
        ...["/proc/sysrq-trigger", "/proc/irq/default_smp_affinity", "/sys/kernel/uevent_helper", "/sys/power/state"],
        ...["", "*/", "*/*/"].map((group) => `/sys/fs/cgroup/${group}cgroup.procs`),
        ...["/sys/fs/cgroup/cgroup.kill", "/sys/fs/cgroup/*/release_agent"],
      ];
      // Only opens files, so that a failing test does not change the machine.
      const script = `for file in ${
        files.join(" ")
      }; do [ -e "$file" ] && (: >> "$file") 2>/dev/null && echo "$file"; done; true`;
      assertEquals((await bench.run(script)).stdout, "");
    },
  ],
  ["hides the memory, keys and timers of the machine", async (bench) => {
    const script = "cat /proc/kcore /proc/keys /proc/timer_list /proc/sched_debug 2>/dev/null; ls -A /sys/firmware";
    assertEquals((await bench.run(script)).stdout, "");
  }],
  ["rejects every system call that reaches the machine", async (bench) => {
    const answers = await probe(bench, REFUSED);
    const done = Object.entries(answers).filter(([, answer]) => ![-EPERM, -ENOSYS].includes(answer));
    assertEquals(done, []);
    assertEquals(Object.keys(answers).length, REFUSED.length);
  }],
  [
    "grants later commands the same rights as the first process, and no more than container engines do",
    async (bench) => {
      const script = "grep -E '^Cap(Inh|Prm|Eff|Bnd|Amb)|^Seccomp:' /proc/self/status";
      const { sink, seen } = writes("Seccomp");
      let started = "";
      const container = await bench.start(["sh", "-c", `${script}; exec sleep 60`], {}, (text) => {
        started += text;
        sink(text);
      });
      await seen;
      const { stdout } = await container.exec(["sh", "-c", script]);
      await container.remove();
      assertEquals(stdout, started);
      for (const name of ["CapPrm", "CapEff", "CapBnd"]) {
        const bits = BigInt(`0x${new RegExp(`${name}:\\s*(\\w+)`).exec(started)![1]}`);
        assertEquals(bits & ~GRANTED, 0n, `${name} ${bits.toString(16)}`);
      }
      assert(/CapInh:\s*0+\n/.test(started) && /Seccomp:\s*2/.test(started), started);
    },
  ],
  ["grants no capabilities to a user other than root", async (bench) => {
    const { stdout } = await bench.run("grep -E '^Cap(Prm|Eff|Amb)' /proc/self/status", { user: 1234, group: 1234 });
    assertEquals(stdout.match(/\b0{16}\b/g)?.length, 3, stdout);
  }],
  ["cannot reach processes of the machine", async (bench) => {
    const script = `kill -0 ${Deno.pid} 2>/dev/null && echo seen; ls -d /proc/${Deno.pid} 2>/dev/null; true`;
    // The first processes of the container have low PIDs.
    assert(Deno.pid > 20);
    assertEquals((await bench.run(script)).stdout, "");
  }],
  ["a subPath that is replaced by a link does not show the target of the link", async (bench) => {
    await withOutside(bench, async (outside) => {
      const volume = await bench.volume("v", {});
      const mount: Mount = { source: volume, target: "/v", readOnly: false };
      const swap = `mkdir /v/sub; ln -s ${outside} /v/link; echo ready; ` +
        "while :; do mv /v/sub /v/aside; mv /v/link /v/sub; mv /v/sub /v/link; mv /v/aside /v/sub; done 2>/dev/null";
      const { sink, seen } = writes("ready");
      const swapping = await bench.start(["sh", "-c", swap], { mounts: [mount] }, sink);
      await seen;
      for (let round = 0; round < 20; round++) {
        const mounts = [{ ...mount, target: "/m", below: "sub" }];
        const { stdout } = await bench.run("ls -A /m; echo x > /m/written", { mounts });
        assert(!stdout.includes("secret"), `round ${round}: ${stdout}`);
      }
      await swapping.remove();
    });
  }],
  ["creates a missing subPath, and follows links only within the volume", async (bench) => {
    await withOutside(bench, async (outside) => {
      const volume = await bench.volume("v", { file: "content" });
      await Deno.mkdir(`${volume}/real`);
      giveToRoot(`${volume}/real`, bench.runtime.rootId);
      await Deno.symlink("real", `${volume}/inner`);
      await Deno.symlink(outside, `${volume}/outer`);
      await Deno.symlink("../../../../../../../..", `${volume}/up`);
      const at = (below: string): Mount => ({ source: volume, below, target: "/m", readOnly: false });
      const { exitCode, message } = await bench.run("echo x > /m/made", { mounts: [at("new/deep")] });
      assertEquals([exitCode, message], [0, undefined]);
      assertEquals(await Deno.readTextFile(`${volume}/new/deep/made`), "x\n");
      assertEquals((await bench.run("echo x > /m/made", { mounts: [at("inner")] })).exitCode, 0);
      assertEquals(await Deno.readTextFile(`${volume}/real/made`), "x\n");
      assertEquals((await bench.run("cat /m", { mounts: [at("file")] })).stdout, "content");
      for (const below of ["outer", "outer/new", "up", "up/etc"]) {
        const { reason, stdout } = await bench.run("ls /m; echo x > /m/made", { mounts: [at(below)] });
        assertEquals([below, reason, stdout], [below, "StartError", ""]);
      }
    });
  }],
  [
    "creates nothing in a volume that the container may not change, even if a subPath is missing",
    async (bench) => {
      const volume = await bench.volume("v", { file: "content" });
      const at = (below: string): Mount => ({ source: volume, below, target: "/m", readOnly: true, isFixed: true });
      assertEquals((await bench.run("cat /m", { mounts: [at("file")] })).stdout, "content");
      for (const below of ["new", "new/deep"]) {
        assertEquals((await bench.run("ls /m", { mounts: [at(below)] })).reason, "StartError");
      }
      assertEquals([...Deno.readDirSync(volume)].map(({ name }) => name), ["file"]);
    },
  ],
  ["is killed by the kernel before other processes of the machine when memory is short", async (bench) => {
    assertEquals((await bench.run("cat /proc/self/oom_score_adj")).stdout, "1000\n");
    const container = await bench.start(["sleep", "60"]);
    assertEquals((await container.exec(["cat", "/proc/self/oom_score_adj"])).stdout, "1000\n");
    await container.remove();
  }],
  [
    "creates mount points and working folders only in the container, regardless of links in volumes",
    async (bench) => {
      await withOutside(bench, async (outside) => {
        const volume = await bench.volume("v");
        const inner = await bench.volume("inner", { file: "inside" });
        await Deno.symlink(outside, `${volume}/out`);
        await Deno.symlink("../../../../../../../../../../../..", `${volume}/up`);
        await Deno.symlink(`${outside}/file`, `${volume}/file`);
        const mount: Mount = { source: volume, target: "/v", readOnly: false };
        for (const target of ["/v/out/deep/er", `/v/up${outside}/deep`, "/v/out", "/v/file"]) {
          await bench.run("true", { mounts: [mount, { source: inner, target, readOnly: false }] });
          await bench.run("true", { mounts: [mount, { source: `${inner}/file`, target, readOnly: true }] });
          await bench.run("true", { mounts: [mount], workingDir: target });
        }
      });
    },
  ],
  ["running a command neither writes to nor runs files planted by the container", async (bench) => {
    await withOutside(bench, async (outside) => {
      const plant = [
        "i=0; while [ $i -lt 20 ]; do",
        `for name in /dev/.entry /dev/.entry- /dev/enter- /enter- /launch /state /tmp/enter-; do ln -s ${outside}/planted-$i $name$i; done;`,
        "i=$((i + 1)); done 2>/dev/null;",
        'for name in setpriv unshare nsenter env sh mount; do for folder in /bin /usr/bin /usr/sbin; do rm -f "$folder/$name";',
        'echo "#!/bin/cat" > "$folder/$name"; chmod 755 "$folder/$name"; done; done 2>/dev/null;',
        "echo ready; exec sleep 60",
      ].join(" ");
      const { sink, seen } = writes("ready");
      const container = await bench.start(["sh", "-c", plant], {}, sink);
      await seen;
      for (let round = 0; round < 3; round++) {
        assertEquals((await container.exec(["ls", "-d", "/proc"])).stdout, "/proc\n");
      }
      const { stdout } = await container.exec(["grep", "CapEff", "/proc/self/status"]);
      assertEquals(BigInt(`0x${stdout.split("\t")[1]!.trim()}`) & ~GRANTED, 0n);
      await container.remove();
    });
  }],
  ["cannot start in a folder that is still open while the container starts", async (bench) => {
    for (let descriptor = 3; descriptor < 12; descriptor++) {
      const { reason, stdout } = await bench.run("cat etc/hostname; ls", {
        workingDir: `/proc/self/fd/${descriptor}`,
      });
      assertEquals([reason, stdout], ["StartError", ""]);
    }
  }],
  ["leaves no setuid program that other users can run as root or as the user of this process", async (bench) => {
    const volume = await bench.volume("v");
    const mounts = [{ source: volume, target: "/v", readOnly: false }];
    await bench.run('cp "$(command -v cat)" /v/cat && chmod 6755 /v/cat', { mounts });
    const { uid, mode } = await Deno.stat(`${volume}/cat`);
    assertEquals(mode! & 0o7777, 0o6755);
    const isOpen = ((await Deno.stat(bench.folder)).mode! & 0o011) !== 0;
    assert(!isOpen || (uid !== 0 && uid !== Deno.uid()), `${volume}/cat runs as ${uid}`);
  }],
  ["ends a fork bomb within the container", async (bench) => {
    const [pause, fork] = Deno.build.arch === "aarch64" ? [73, 220] : [271, 56];
    const program = new KernelProgram().reportTo(1);
    for (let count = 0; count < MAX_PROCESSES; count++) {
      program.attempt(fork, 17, 0, 0, 0, 0).when(0, () => program.attempt(pause, 0, 0, 0, 0).exit(0));
    }
    const reports = await runInside(bench, program.report(0, "answer").exit(0));
    assertEquals(reports.map(({ first }) => first), [-EAGAIN]);
  }],
];

/** The test for back ends that create containers themselves, on Linux 6.12 and later. */
export const SOCKETS_PROMISE: RuntimeTest = [
  "abstract sockets of the machine cannot be reached, and the container has its own",
  async (bench) => {
    const name = `tiphys-${crypto.randomUUID()}`;
    const listening = await listenOutside(name);
    const outside = (await runOutside(addConnection(new KernelProgram(), name).exit(0))).map(({ first }) => first);
    const inside = (await runInside(bench, addConnection(new KernelProgram(), name).exit(0))).map(({ first }) => first);
    await listening[Symbol.asyncDispose]();
    assertEquals([outside, inside], [[0], [-EPERM]]);
    const own = addConnection(addListener(new KernelProgram(), "own"), "own").exit(0);
    assertEquals((await runInside(bench, own)).map(({ first }) => first), [0]);
  },
];

/** Reports whether this kernel can block abstract sockets of other processes. */
export async function canBlockSockets(): Promise<boolean> {
  if (!canMakePrograms()) return false;
  const VERSION = 1;
  const program = new KernelProgram().reportTo(1).attempt("landlock_create_ruleset", 0, 0, VERSION).report(0, "answer");
  return ((await runOutside(program.exit(0)))[0]?.first ?? 0) >= 6;
}

const [SOCKET, BIND, LISTEN, CONNECT] = Deno.build.arch === "aarch64" ? [198, 200, 201, 203] : [41, 49, 50, 42];
const AF_UNIX = 1;
const SOCK_STREAM = 1;

function addressOf(program: KernelProgram, name: string): readonly [Address, number] {
  const bytes = Uint8Array.of(AF_UNIX, 0, 0, ...new TextEncoder().encode(name));
  return [program.bytes(bytes), bytes.length];
}

/** Adds calls that listen on an abstract socket. */
function addListener(program: KernelProgram, name: string): KernelProgram {
  const socket = program.slot();
  return program.attempt(SOCKET, AF_UNIX, SOCK_STREAM, 0).keep(socket)
    .must("bind", BIND, socket, ...addressOf(program, name))
    .must("listen", LISTEN, socket, 1);
}

/** Adds calls that connect to an abstract socket and report the result. */
function addConnection(program: KernelProgram, name: string): KernelProgram {
  const socket = program.slot();
  return program.reportTo(1).attempt(SOCKET, AF_UNIX, SOCK_STREAM, 0).keep(socket)
    .attempt(CONNECT, socket, ...addressOf(program, name)).report(0, "answer");
}

/** A process of this machine that listens until it is disposed of. */
async function listenOutside(name: string): Promise<AsyncDisposable> {
  const folder = await Deno.makeTempDir();
  const program = addListener(new KernelProgram(), name);
  const said = "listens";
  program.attempt("write", 1, program.text(said), said.length).attempt("ppoll", 0, 0, 0, 0, 0);
  Deno.writeFileSync(`${folder}/listen`, program.file(), { mode: 0o700 });
  const process = await startProgram(`${folder}/listen`, { stdin: "null", stdout: "piped", stderr: "null" });
  const reader = process.stdout.getReader();
  await reader.read();
  return {
    async [Symbol.asyncDispose]() {
      process.kill("SIGKILL");
      await process.status;
      await reader.cancel();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** Calls `act` with a folder that no container may see, and checks afterwards that it has not changed. */
async function withOutside(bench: Bench, act: (outside: string) => Promise<void>): Promise<void> {
  const outside = `${bench.folder}/outside`;
  await Deno.mkdir(outside);
  await Deno.chmod(outside, 0o777);
  await Deno.writeTextFile(`${outside}/secret`, "secret");
  await act(outside);
  assertEquals([...Deno.readDirSync(outside)].map(({ name }) => name), ["secret"]);
  assert(!isThere("/deep"));
}
