/** Tests the back end with real images: the tests of all back ends, and its own. */

import { probe } from "./testing/prober.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { canMakePrograms } from "@tiphys/portable/elf";
import { containerIds } from "../../image/container_ids.ts";
import { ImageStore } from "../../image/image_store.ts";
import { archiveOf, madeImage, serveRegistry } from "../../image/testing/made_image.ts";
import { ControlGroups } from "./control_groups.ts";
import { Launcher, type LauncherOptions } from "./launcher.ts";
import { readKernel, readMachine } from "./machine.ts";
import { ImageError } from "@tiphys/registry/image_error";
import type { ContainerRuntime } from "./runtime.ts";
import { type SandboxOptions, sandboxRuntime } from "./sandbox.ts";
import {
  Bench,
  isAllowed,
  limitsMemory,
  MEMORY_PROMISE,
  PROMISES,
  type RuntimeMaker,
  type RuntimeTest,
  testPromises,
  writes,
} from "./testing/promises.ts";
import { canBlockSockets, HOSTILE, SOCKETS_PROMISE } from "./testing/hostile.ts";
import { makeProgramRoot } from "./testing/program_root.ts";
import { needs } from "../../../lib/base/testing/needs.ts";

const isOurProcessor = canMakePrograms();

const root = await Deno.makeTempDir();
if (isOurProcessor) await makeProgramRoot(root);
globalThis.addEventListener("unload", () => Deno.removeSync(root, { recursive: true }));

function sandbox(
  scratch: LauncherOptions["scratch"] = "folder",
  options: Partial<SandboxOptions> = {},
): RuntimeMaker {
  return async (folder): Promise<ContainerRuntime> => {
    if (!isOurProcessor) throw new Error("No last step for this processor");
    await Deno.mkdir(`${folder}/images`);
    return sandboxRuntime({
      images: new ImageStore({ folder: `${folder}/images` }),
      launcher: new Launcher({
        ids: containerIds(),
        kernel: readKernel(readMachine().mounts),
        scratch,
        overlays: true,
      }),
      groups: ControlGroups.onThisMachine(folder),
      folders: new Map([["busybox", root]]),
      onNotice() {},
      standIn: "any",
      ...options,
    });
  };
}

const OWN: readonly RuntimeTest[] = [
  ["shows the image and nothing of the machine", async (bench) => {
    assertEquals((await bench.run("ls /etc /home")).stdout, "/etc:\ngroup\npasswd\n");
  }],
  ["does not modify the image", async (bench) => {
    await bench.run("rm -f /etc/passwd; echo x > /etc/group; mkdir /new");
    assertEquals((await bench.run("cat /etc/group; ls /etc /new")).stdout.includes("app:x:1001:"), true);
    assertEquals([...Deno.readDirSync(`${root}/etc`)].map(({ name }) => name).sort(), ["group", "passwd"]);
  }],
  ["passes all input to a command, as far as the command reads it", async (bench) => {
    const container = await bench.start(["sleep", "60"]);
    const written: number[] = [];
    const output = (_stream: "stdout" | "stderr", chunk: Uint8Array) => void written.push(...chunk);
    const input = new Blob([Uint8Array.of(255, 0, 10)]).stream();
    assertEquals((await container.exec(["cat"], { streams: { input, output } })).exitCode, 0);
    assertEquals(written, [255, 0, 10]);
    const endless = new ReadableStream<Uint8Array>({ pull: (queue) => queue.enqueue(new Uint8Array(65_536)) });
    assertEquals((await container.exec(["sh", "-c", "exit 3"], { streams: { input: endless, output } })).exitCode, 3);
    await container.remove();
  }],
  ["kills a command whose input breaks, since it would treat the partial input as complete", async (bench) => {
    const container = await bench.start(["sleep", "60"]);
    const written: number[] = [];
    const output = (_stream: "stdout" | "stderr", chunk: Uint8Array) => void written.push(...chunk);
    const pieces = [Uint8Array.of(1)];
    const input = new ReadableStream<Uint8Array>({
      pull(queue) {
        const piece = pieces.pop();
        if (piece) queue.enqueue(piece);
        else queue.error(new Error("too much of it waits"));
      },
    }, { highWaterMark: 0 });
    const command = ["sh", "-c", "cat; sleep 60"];
    await assertRejects(() => container.exec(command, { streams: { input, output } }), Error, "too much of it waits");
    await container.remove();
  }],
  ["searches the program in the container's PATH, volumes included", async (bench) => {
    const volume = await bench.volume("v");
    await Deno.copyFile(`${root}/bin/cat`, `${volume}/tool`);
    const mounts = [{ source: volume, target: "/v", readOnly: true }];
    const env = new Map([["PATH", "/nowhere:/v"]]);
    assertEquals((await bench.run(["tool", "/etc/group"], { mounts, env })).stdout, "root:x:0:\napp:x:1001:\n");
  }],
  ["reports a program that is not in the container", async (bench) => {
    const { exitCode, reason, message } = await bench.run(["no-such-program"]);
    assertEquals([exitCode, reason], [128, "StartError"]);
    assertStringIncludes(message ?? "", "executable file not found");
  }],
  ["resolves mount points through the image's links, within the image", async (bench) => {
    const volume = await bench.volume("v", { file: "here" });
    await Deno.symlink("../../../../link-target", `${root}/link`).catch(() => {});
    const mounts = [{ source: volume, target: "/link/v", readOnly: true }];
    assertEquals((await bench.run("cat /link-target/v/file", { mounts })).stdout, "here");
    await Deno.remove(`${root}/link`);
  }],
];

const limits = await limitsMemory() ? [MEMORY_PROMISE] : [];
const sockets = await canBlockSockets() ? [SOCKETS_PROMISE] : [];
await testPromises("sandbox", "namespaces", sandbox(), [...PROMISES, ...HOSTILE, ...sockets, ...OWN, ...limits]);
await testPromises("sandbox (writing to memory)", "namespaces", sandbox("memory"), PROMISES.slice(0, 6));

const allowed = await isAllowed(sandbox());

function test(name: string, act: (bench: Bench) => Promise<void>, runtime: RuntimeMaker = sandbox()): void {
  Deno.test({
    ...needs("namespaces", allowed, name),
    async fn() {
      await using bench = await Bench.make(runtime);
      await act(bench);
    },
  });
}

test("sandbox: runs a container as the image's user, with its home, unless the pod has another user", async (bench) => {
  const script = "id -u; id -g; echo $HOME";
  assertEquals((await bench.run(script, { imageUser: "app" })).stdout, "1000\n1001\n/srv/app\n");
  assertEquals((await bench.run(script, { imageUser: "app", user: 77, group: 5 })).stdout, "77\n5\n/\n");
  const unknown = await bench.run(script, { imageUser: "ghost" });
  assertEquals([unknown.exitCode, unknown.reason], [128, "StartError"]);
  assertStringIncludes(unknown.message ?? "", "unable to find user ghost");
});

test("sandbox: runs additional commands as the container's user", async (bench) => {
  const { sink, seen } = writes("ready");
  const container = await bench.start(["sh", "-c", "echo ready; sleep 60"], { imageUser: "app" }, sink);
  await seen;
  assertEquals((await container.exec(["id", "-u"])).stdout, "1000\n");
  await container.remove();
});

test("sandbox: drops capabilities of root that would let it escape", async (bench) => {
  assertEquals((await bench.run("umount /proc 2>/dev/null || echo refused")).stdout, "refused\n");
});

test("sandbox: a container whose output cannot be stored runs to its end, and reports the loss", async (bench) => {
  const script = "head -c 300000 /dev/zero; sleep 0.2; echo more; exit 3";
  const container = await bench.start(["sh", "-c", script], {}, () => {
    throw new Error("no room");
  });
  assertEquals(await container.ended, {
    exitCode: 3,
    reason: "Error",
    message: "its output could not be kept: no room",
  });
  await container.remove();
});

const hello = await madeImage([[{ name: "etc/hello", text: "from the image" }]], { Env: ["A=1"] });

test("sandbox: an image volume shows the content of the image", async (bench) => {
  await using registry = serveRegistry({ "hello:1": hello });
  const source = await bench.runtime.imageFolder(`${registry.host}/hello:1`);
  const mounts = [{ source, target: "/v", readOnly: true }];
  assertEquals((await bench.run("cat /v/etc/hello", { mounts })).stdout, "from the image");
});

/** The number of lock files of image roots that this process has open. */
function openRoots(): number {
  const links = Array.from(Deno.readDirSync("/proc/self/fd"), ({ name }) => {
    try {
      return Deno.readLinkSync(`/proc/self/fd/${name}`);
    } catch {
      return "";
    }
  });
  return links.filter((link) => /\/roots\/[0-9a-f]+\.lock$/.test(link)).length;
}

test("sandbox: an image that is used repeatedly is locked once", async (bench) => {
  await using registry = serveRegistry({ "hello:1": hello });
  const before = openRoots();
  for (let pod = 0; pod < 5; pod++) await bench.runtime.imageFolder(`${registry.host}/hello:1`);
  assertEquals(openRoots() - before, 1);
});

const notices: string[] = [];
/** An unused port, which fetch does not block. */
const GONE = "127.0.0.1:2/gone:1";

const noticing = sandbox("folder", { onNotice: (text) => notices.push(text) });

test(
  "stand-in images: replace an image if no registry can be reached, with one notice",
  async (bench) => {
    notices.length = 0;
    await bench.runtime.pull(GONE);
    await bench.runtime.pull(GONE);
    assertEquals(notices.length, 1);
    assertEquals(notices[0], `Image ${GONE} cannot be pulled: using a stand-in with common tools`);
    const script = "echo a b | awk '{ print $2 }' | sed s/b/c/; tar --version > /dev/null && id -u";
    assertEquals((await bench.run(script, { image: GONE })).stdout, "c\n0\n");
  },
  noticing,
);

test("stand-in images: contain only programs of the machine", async (bench) => {
  await bench.runtime.pull(GONE);
  const { stdout } = await bench.run("cd /; ls etc root home var tmp; cat etc/passwd", { image: GONE });
  assertEquals(
    stdout.replace(/^(etc|root|home|var|tmp):$/gm, "").match(/\S+/g),
    [
      ...["group", "hosts", "nsswitch.conf", "passwd", "tmp"],
      ...["root:x:0:0:root:/root:/bin/sh", "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin"],
    ],
  );
}, noticing);

test("stand-in images: a missing program is reported with the image and a remedy", async (bench) => {
  await bench.runtime.pull(GONE);
  const direct = await bench.run(["no-such-program"], { image: GONE });
  const said = `"no-such-program" is not in the stand-in for the image "${GONE}": load it (tiphys image load)`;
  assertStringIncludes(direct.message ?? "", said);
  const called = await bench.run("no-such-program", { image: GONE });
  assertEquals(called.exitCode, 127);
  assertStringIncludes(called.message ?? "", `A program was not found in the stand-in for the image "${GONE}"`);
  assertEquals((await bench.run("exit 3", { image: GONE })).message, undefined);
}, noticing);

test(
  "stand-in images: have no default command, so that a container without a command does not appear to succeed",
  async (bench) => {
    const { entrypoint, cmd } = await bench.runtime.pull(GONE);
    const { exitCode, stderr } = await bench.run([...entrypoint, ...cmd], { image: GONE });
    assertEquals([exitCode, stderr], [127, "A stand-in has no default command: set the command of the container\n"]);
  },
  noticing,
);

test("stand-in images: replace only base images, unless the user allows any", async (bench) => {
  await assertRejects(() => bench.runtime.pull(GONE), ImageError, "cannot be reached");
}, sandbox("folder", { standIn: "base" }));

test("stand-in images: the callback selects stand-ins for images that are not base images", async (bench) => {
  assertEquals((await bench.runtime.pull(GONE)).isStandIn, true);
  await assertRejects(() => bench.runtime.pull("127.0.0.1:2/other:1"), ImageError, "cannot be reached");
}, sandbox("folder", { standIn: (image: string) => image === GONE }));

test("stand-in images: the policy none keeps images unchanged", async (bench) => {
  await assertRejects(() => bench.runtime.pull(GONE), ImageError, "cannot be reached");
}, sandbox("folder", { standIn: "none" }));

test("sandbox: all users of a container share a limit of inotify instances", async (bench) => {
  const instances = (count: number, user: number) => [
    { name: `setuid ${user}`, numbers: [105, 146] as const, args: [user] },
    ...Array.from({ length: count }, (_, index) => ({
      name: `${user}/${index}`,
      numbers: [294, 26] as const,
      args: [0],
    })),
  ];
  const answers = await probe(bench, [...instances(12, 0), ...instances(12, 1000)]);
  const made = Object.entries(answers).filter(([name, answer]) => name.includes("/") && answer >= 0);
  assertEquals(made.length, 16);
});

test("stand-in images: are not used if the registry refuses an image", async (bench) => {
  await using registry = serveRegistry({ "hello:1": hello });
  await assertRejects(() => bench.runtime.pull(`${registry.host}/nothing:1`), ImageError, "there is no such image");
  await using locked = serveRegistry({ "hello:1": hello }, { username: "a", password: "b" });
  await assertRejects(() => bench.runtime.pull(`${locked.host}/hello:1`), ImageError, "access denied");
}, noticing);

test("stand-in images: are not used for image volumes", async (bench) => {
  await assertRejects(() => bench.runtime.imageFolder(GONE), ImageError, "cannot be reached");
}, noticing);

test(
  "sandbox: a local image is used if no registry responds, even with the policy Always",
  async (bench) => {
    notices.length = 0;
    const store = new ImageStore({ folder: `${bench.folder}/images` });
    await store.load(new Blob([await archiveOf(hello, GONE)]).stream());
    assertEquals((await bench.runtime.pull(GONE, { policy: "Always" })).env.get("A"), "1");
    assert(notices.every((text) => !text.includes("cannot be had")));
  },
  sandbox("folder", { onNotice: (text) => notices.push(text) }),
);
