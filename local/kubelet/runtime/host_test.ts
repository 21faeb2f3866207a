/** Tests the host back end with real small programs: the same tests for every launcher that this machine allows. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { containerIds } from "../../image/container_ids.ts";
import { ControlGroups } from "./control_groups.ts";
import { hostRuntime } from "./host.ts";
import { Launcher } from "./launcher.ts";
import { readKernel, readMachine } from "./machine.ts";
import { removeTree } from "../../image/remove_tree.ts";
import { SEARCH_PATH } from "./search_path.ts";
import {
  Bench,
  isAllowed,
  isThere,
  limitsMemory,
  MEMORY_PROMISE,
  processesWith,
  PROMISES,
  type RuntimeMaker,
  type RuntimeTest,
  testPromises,
  writes,
} from "./testing/promises.ts";
import { canBlockSockets, HOSTILE, SOCKETS_PROMISE } from "./testing/hostile.ts";
import { awaitFact } from "../../../tests/await_fact.ts";
import { needs } from "../../../lib/base/testing/needs.ts";

function launcherWith(overlays: boolean): Launcher {
  return new Launcher({ ids: containerIds(), kernel: readKernel(readMachine().mounts), scratch: "folder", overlays });
}

const isLinux = Deno.build.os === "linux";
const launchers: readonly (readonly [string, Launcher])[] = !isLinux ? [] : [
  ["with overlays", launcherWith(true)],
  ["without overlays", launcherWith(false)],
];

/** The tests of a back end that uses the machine's files. */
const OWN: readonly RuntimeTest[] = [
  ["protects the machine's own files", async (bench) => {
    const name = crypto.randomUUID();
    await bench.run(`echo x > /etc/${name}; echo x > /usr/${name}; rm -f /etc/hostname`);
    assertEquals([isThere(`/etc/${name}`), isThere(`/usr/${name}`)], [false, false]);
    assertEquals(isThere("/etc/passwd"), true);
  }],
  ["does not show home folders", async (bench) => {
    assertEquals((await bench.run("ls -A /home /root")).stdout, "/home:\n\n/root:\n");
  }],
  ["reports a program that this machine lacks, with the image", async (bench) => {
    const container = await bench.start(["no-such-program-here"]);
    const { exitCode, message } = await container.ended;
    assertEquals(exitCode, 128);
    assertStringIncludes(message ?? "", '"no-such-program-here" is not a program of this machine');
    assertStringIncludes(message ?? "", 'image "busybox" is not used');
    await container.remove();
  }],
  ["finds a program in a mounted folder", async (bench) => {
    const volume = await bench.volume("programs", { three: "#!/bin/sh\nexit 3\n" });
    await Deno.chmod(`${volume}/three`, 0o755);
    const mounts = [{ source: volume, target: "/v", readOnly: true }];
    const { exitCode, message } = await bench.run(["three"], { mounts, env: new Map([["PATH", `/v:${SEARCH_PATH}`]]) });
    assertEquals([exitCode, message], [3, undefined]);
  }],
];

function runtimeWith(launcher: Launcher): RuntimeMaker {
  return (folder) => hostRuntime({ folder, launcher, groups: ControlGroups.onThisMachine(folder) });
}

const limits = await limitsMemory() ? [MEMORY_PROMISE] : [];

for (const [name, launcher] of launchers) {
  await testPromises(`host back end (${name})`, "namespaces", runtimeWith(launcher), [
    ...PROMISES,
    ...HOSTILE,
    ...await canBlockSockets() ? [SOCKETS_PROMISE] : [],
    ...OWN,
    ...limits,
  ]);
}

const firstRuntime: RuntimeMaker = (folder) => hostRuntime({ folder });
Deno.test({
  ...needs(
    "namespaces",
    await isAllowed(firstRuntime),
    "the host back end runs a container and additional commands as another user",
  ),
  async fn() {
    await using bench = await Bench.make(firstRuntime);
    const { sink, seen } = writes("1234\n");
    const container = await bench.start(["sh", "-c", "id -u; sleep 60"], { user: 1234 }, sink);
    await seen;
    assertEquals((await container.exec(["id", "-u"])).stdout, "1234\n");
    await container.remove();
  },
});

Deno.test({
  ...needs(
    "namespaces",
    await isAllowed(firstRuntime),
    "the host back end drops capabilities of root that would let it escape",
  ),
  async fn() {
    await using bench = await Bench.make(firstRuntime);
    assertEquals((await bench.run("umount /proc 2>/dev/null || echo refused")).stdout, "refused\n");
  },
});

for (const how of ["", "deaf"]) {
  Deno.test({
    ...needs(
      "namespaces",
      await isAllowed(firstRuntime),
      `containers do not outlive the process that started them, even when it is killed${
        how && ", and when they do not want to hear of it"
      }`,
    ),
    async fn() {
      const folder = await Deno.makeTempDir();
      try {
        const fixture = new URL("./testing/outlived.ts", import.meta.url).pathname;
        const child = new Deno.Command(Deno.execPath(), {
          args: ["run", "-A", "--no-check", fixture, folder, how],
          stdout: "piped",
        }).spawn();
        const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
        assertEquals((await reader.read()).value, "running\n");
        child.kill("SIGKILL");
        await child.status;
        await reader.cancel();
        await awaitFact("nothing of it runs", async () => (await processesWith(folder)).length === 0, { seconds: 60 });
      } finally {
        await removeTree(folder);
      }
    },
  });
}
