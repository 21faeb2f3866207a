/** Tests the back ends of docker and podman, if they run on this machine: the tests of all back ends, and their own. */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { ImageError } from "@tiphys/registry/image_error";
import { RuntimeUnavailable } from "../runtime.ts";
import {
  Bench,
  isAllowed,
  limitsMemory,
  PROMISES,
  reasonOfTooMuchMemory,
  type RuntimeTest,
  testPromises,
  writes,
} from "../testing/promises.ts";
import { HOSTILE } from "../testing/hostile.ts";
import { makeProgramRoot } from "../testing/program_root.ts";
import { IMAGE, importImage, runtimeOf } from "../testing/engine_image.ts";
import type { EngineName } from "./engine_address.ts";
import type { EngineClient } from "./engine_client.ts";
import { findEngine } from "./find_engine.ts";
import { needs } from "../../../../lib/base/testing/needs.ts";

/** A folder of this machine that is the content of an image. */
const FOLDER_IMAGE = "tiphys.local/folder:latest";

const OWN: readonly RuntimeTest[] = [
  ["reports a program that is not in the container", async (bench) => {
    const { exitCode, reason, message } = await bench.run(["no-such-program"]);
    assertEquals([exitCode, reason], [128, "StartError"]);
    assertStringIncludes(message ?? "", "no-such-program");
  }],
  ["runs a container as the user of the pod", async (bench) => {
    assertEquals((await bench.run("id -u; id -g", { user: 77, group: 5 })).stdout, "77\n5\n");
  }],
  ["shares this machine's network, as all pods do", async (bench) => {
    using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const port = listener.addr.port.toString(16).toUpperCase().padStart(4, "0");
    assertEquals((await bench.run(`grep -c :${port} /proc/net/tcp`)).stdout, "1\n");
  }],
  ["returns the content of an image as a folder", async (bench) => {
    const folder = await bench.runtime.imageFolder(IMAGE);
    assertStringIncludes(await Deno.readTextFile(`${folder}/etc/passwd`), "app:x:1000");
  }],
];

/**
 * Engines use the same control groups. On a busy machine, docker misses the kernel's notification for about one kill in
 * forty, and reports "Error" permanently; podman's monitor misses more of them.
 */
const MEMORY: RuntimeTest = [
  "kills a container that exceeds its memory limit, with the reason if the engine was notified",
  async (bench) => {
    const reasons = new Set<string>();
    for (let tries = 0; tries < 6 && !reasons.has("OOMKilled"); tries++) {
      reasons.add(await reasonOfTooMuchMemory(bench));
    }
    assertEquals([...reasons].at(-1), "OOMKilled");
  },
];
const limits = { docker: await limitsMemory() ? [MEMORY] : [], podman: [] };

for (const name of ["docker", "podman"] as const) {
  const engine = await findIfAvailable(name);
  if (engine) await importImage(engine);
  engine?.[Symbol.dispose]();
  const what = `a ${name} that answers`;
  await testPromises(`${name} back end`, what, runtimeOf(name), [...PROMISES, ...HOSTILE, ...OWN, ...limits[name]]);

  const allowed = await isAllowed(runtimeOf(name));
  const test = (title: string, fn: () => Promise<void>) =>
    Deno.test({ ...needs(what, allowed, `the ${name} back end ${title}`), fn });

  test("uses a local image if no registry can be reached for an update, with one notice", async () => {
    const notices: string[] = [];
    await using bench = await Bench.make(runtimeOf(name, { onNotice: (text) => notices.push(text) }));
    for (let times = 0; times < 2; times++) await bench.runtime.pull(IMAGE, { policy: "Always" });
    assertEquals(notices.length, 1);
    assertStringIncludes(notices[0]!, `Using the local image ${IMAGE}: failed to pull image`);
  });

  test("reports why an image cannot be pulled", async () => {
    await using bench = await Bench.make(runtimeOf(name));
    const gone = "127.0.0.1:1/gone:1";
    const error = await assertRejects(() => bench.runtime.pull(gone), ImageError, `failed to pull image "${gone}"`);
    assertEquals(error.reason, "ErrImagePull");
    const never = await assertRejects(() => bench.runtime.pull(gone, { policy: "Never" }), ImageError);
    assertEquals(never.reason, "ErrImageNeverPull");
  });

  test("uses a folder of this machine as the content of an image", async () => {
    const root = await Deno.makeTempDir();
    await makeProgramRoot(root);
    for (const name of ["etc", "tmp"]) await Deno.remove(`${root}/${name}`, { recursive: true });
    await Deno.writeTextFile(`${root}/file`, "content");
    await using bench = await Bench.make(runtimeOf(name, { folders: new Map([[FOLDER_IMAGE, root]]) }));
    assertEquals((await bench.runtime.pull(FOLDER_IMAGE)).entrypoint, []);
    assertEquals((await bench.run(["/bin/cat", "/file"], { image: FOLDER_IMAGE })).stdout, "content");
    await Deno.remove(root, { recursive: true });
  });

  test("removes the running containers of an earlier process over the same folder, and no others", async () => {
    await using other = await Bench.make(runtimeOf(name));
    await using bench = await Bench.make(runtimeOf(name));
    const { sink, seen } = writes("ready");
    const command = ["sh", "-c", "echo ready; sleep 60"];
    const left = await bench.start(command, {}, sink);
    await seen;
    const kept = writes("ready");
    const others = await other.start(command, {}, kept.sink);
    await kept.seen;
    const after = await runtimeOf(name)(bench.folder);
    assertEquals((await left.ended).exitCode, 137);
    assertEquals((await others.exec(["true"])).exitCode, 0);
    await after.close();
  });
}

async function findIfAvailable(name: EngineName): Promise<EngineClient | undefined> {
  try {
    return await findEngine(name);
  } catch (error) {
    if (error instanceof RuntimeUnavailable) return undefined;
    throw error;
  }
}
