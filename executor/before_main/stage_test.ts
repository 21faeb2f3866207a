import { assertEquals, assertRejects } from "@std/assert";
import { packTarGzAt as packTarGz, packZipAt as packZip } from "../../lib/artifacts/formats/testing/by_path.ts";
import type { Driver } from "@tiphys/model/artifact";
import { ENV, PATH } from "@tiphys/base/constants";
import { ARTIFACT_CACHE } from "@tiphys/model/pod";
import { needs } from "../../lib/base/testing/needs.ts";
import { type MemoryStore, memoryStore } from "../testing/memory_store.ts";
import { inputPlugins, loadInputs, stageTemplate } from "./stage.ts";
import type { PodTemplate, TemplateArtifact } from "../pod/template.ts";
import { at } from "../world.ts";
import { type TestWorld, testWorld } from "../testing/world.ts";

const never = new AbortController().signal;

interface Stage extends AsyncDisposable {
  readonly world: TestWorld;
  readonly store: MemoryStore;
}

/** The world of a supervisor with a store and a template with input artifacts. */
async function stageOf(
  artifacts: TemplateArtifact[],
  { plugins = "", mounts = [] }: { plugins?: string; mounts?: string[] } = {},
): Promise<Stage> {
  const store = memoryStore();
  const volumeMounts = mounts.map((mountPath, index) => ({ name: `v${index}`, mountPath }));
  const template: PodTemplate = { container: { volumeMounts }, inputs: { artifacts } };
  const env = { [ENV.template]: JSON.stringify(template), [ENV.inputArtifactPluginNames]: plugins };
  const world = await testWorld({ container: "supervisor", env, driverFor: store.driverFor });
  return { world, store, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() };
}

/** The bytes of an archive that contains a folder with two files. */
async function archiveOf(pack: typeof packTarGz | typeof packZip): Promise<Uint8Array<ArrayBuffer>> {
  const folder = await Deno.makeTempDir();
  await Deno.mkdir(`${folder}/tree`);
  for (const name of ["one", "two"]) await Deno.writeTextFile(`${folder}/tree/${name}`, name);
  await pack(`${folder}/tree`, "tree", `${folder}/archive`);
  const bytes = await Deno.readFile(`${folder}/archive`);
  await Deno.remove(folder, { recursive: true });
  return bytes;
}

Deno.test("inputPlugins: ignores blanks and empty items of the list (IL-22)", async () => {
  await using world = await testWorld({ env: { [ENV.inputArtifactPluginNames]: " a, ,b," } });
  assertEquals(inputPlugins(world), ["a", "b"]);
});

Deno.test("stageTemplate: a failed plugin cancels all other downloads, and its error is reported (IL-21)", async () => {
  const plugin = (name: string) => ({ name: `from-${name}`, path: `/${name}`, plugin: { name, key: name } });
  const artifacts = [plugin("slow"), plugin("slower"), plugin("broken")];
  await using stage = await stageOf(artifacts, { plugins: "slow,slower,broken" });
  const { store, world } = stage;
  const begun = Promise.withResolvers<void>();
  store.during = async (event, stop) => {
    if (store.events.length === 3) begun.resolve();
    if (event !== "load broken") {
      await new Promise((_, reject) => stop!.addEventListener("abort", () => reject(stop!.reason)));
    }
    await begun.promise;
    throw new Error("the plugin is broken");
  };
  await assertRejects(
    () => stageTemplate(world, never),
    Error,
    'failed to load input artifacts from plugin "broken": artifact from-broken failed to load: the plugin is broken',
  );
  assertEquals(store.events.filter((event) => event.startsWith("stopped")).length, 3);
  assertEquals(store.events.some((event) => event.startsWith("loaded")), false);
});

Deno.test("stageTemplate: loads the artifacts of one plugin sequentially", async () => {
  const artifacts = ["a", "b"].map((name) => ({ name, path: `/${name}`, plugin: { name: "p", key: name } }));
  await using stage = await stageOf(artifacts, { plugins: "p" });
  for (const { name } of artifacts) stage.store.objects.set(name, new Uint8Array(1));
  await stageTemplate(stage.world, never);
  assertEquals(stage.store.events, ["load a", "loaded a", "load b", "loaded b"]);
});

Deno.test("stageTemplate: loads twenty artifacts, four at a time (AR-23)", async () => {
  const names = Array.from({ length: 20 }, (_, index) => `a${index}`);
  await using stage = await stageOf(names.map((name) => ({ name, path: `/${name}`, s3: { key: name } })));
  for (const name of names) stage.store.objects.set(name, new TextEncoder().encode(name));
  let [now, most] = [0, 0];
  stage.store.during = async () => {
    most = Math.max(most, ++now);
    // One turn of the event loop: without a limit, all downloads would have begun by then.
    await new Promise((resolve) => setTimeout(resolve));
    now--;
  };
  await stageTemplate(stage.world, never);
  assertEquals(most, 4);
  for (const name of names) {
    assertEquals(await Deno.readTextFile(at(stage.world, `${PATH.inputArtifacts}/${name}`)), name);
  }
});

Deno.test("stageTemplate: artifacts of a plugin are usable for every user (IL-82)", async () => {
  await using stage = await stageOf([{ name: "a", path: "/a", plugin: { name: "p", key: "a" } }], { plugins: "p" });
  stage.store.objects.set("a", await archiveOf(packTarGz));
  await stageTemplate(stage.world, never);
  const modeOf = async (path: string) =>
    (await Deno.stat(at(stage.world, `${PATH.inputArtifacts}/${path}`))).mode! & 0o777;
  assertEquals([await modeOf("a"), await modeOf("a/one")], [0o777, 0o666]);
});

for (
  const [what, archive, pack] of [
    ["a tar archive that nobody announced", undefined, packTarGz],
    ["a tar archive", { tar: {} }, packTarGz],
    ["a zip archive", { zip: {} }, packZip],
  ] as const
) {
  Deno.test(`stageTemplate: unpacks ${what} and names its only entry after the artifact`, async () => {
    await using stage = await stageOf([{ name: "a", path: "/a", s3: { key: "a" }, archive }]);
    stage.store.objects.set("a", await archiveOf(pack));
    await stageTemplate(stage.world, never);
    assertEquals(await stage.world.read(`${PATH.inputArtifacts}/a/two`), "two");
    assertEquals([...Deno.readDirSync(at(stage.world, PATH.inputArtifacts))].map(({ name }) => name), ["a"]);
  });
}

Deno.test("stageTemplate: does not unpack an archive with `archive: none`, nor a file that is not an archive", async () => {
  const bytes = await archiveOf(packTarGz);
  await using stage = await stageOf([
    { name: "kept", path: "/kept", s3: { key: "kept" }, archive: { none: {} } },
    { name: "plain", path: "/plain", s3: { key: "plain" } },
    { name: "zipped", path: "/zipped", s3: { key: "zipped" } },
  ]);
  stage.store.objects.set("kept", bytes);
  stage.store.objects.set("plain", new TextEncoder().encode("text"));
  stage.store.objects.set("zipped", await archiveOf(packZip));
  await stageTemplate(stage.world, never);
  const folder = at(stage.world, PATH.inputArtifacts);
  assertEquals(await Deno.readFile(`${folder}/kept`), bytes);
  assertEquals(await Deno.readTextFile(`${folder}/plain`), "text");
  assertEquals((await Deno.stat(`${folder}/zipped`)).isFile, true);
});

Deno.test("stageTemplate: sets the mode of an artifact, and recursively with recurseMode", async () => {
  await using stage = await stageOf([
    { name: "all", path: "/all", s3: { key: "tree" }, mode: 0o750, recurseMode: true },
    { name: "top", path: "/top", s3: { key: "tree" }, mode: 0o700 },
  ]);
  stage.store.objects.set("tree", await archiveOf(packTarGz));
  await stageTemplate(stage.world, never);
  const modeOf = async (path: string) =>
    (await Deno.stat(at(stage.world, `${PATH.inputArtifacts}/${path}`))).mode! & 0o777;
  assertEquals(await Promise.all(["all", "all/one", "top"].map(modeOf)), [0o750, 0o750, 0o700]);
  assertEquals(await modeOf("top/one") !== 0o700, true);
});

Deno.test("stageTemplate: fills a volume that is mounted at an artifact's path and replaces existing entries", async () => {
  await using stage = await stageOf([{ name: "a", path: "/data", s3: { key: "a" } }], { mounts: ["/data"] });
  stage.store.objects.set("a", await archiveOf(packTarGz));
  await stage.world.write(`${PATH.mainFileSystem}/data/one`, "old");
  await stage.world.write(`${PATH.mainFileSystem}/data/other`, "kept");
  await stageTemplate(stage.world, never);
  const read = (name: string) => stage.world.read(`${PATH.mainFileSystem}/data/${name}`);
  assertEquals(await Promise.all(["one", "two", "other"].map(read)), ["one", "two", "kept"]);
});

Deno.test("stageTemplate: clears and fills a folder that is mounted at an artifact's path, and sets its mode", async () => {
  await using stage = await stageOf([{ name: "a", path: "/a", s3: { key: "tree/" }, mode: 0o750 }]);
  stage.store.objects.set("tree/", await archiveOf(packTarGz));
  const folder = at(stage.world, `${PATH.inputArtifacts}/a`);
  await stage.world.write(`${PATH.inputArtifacts}/a/half`, "of an earlier life");
  const { ino } = await Deno.stat(folder);
  await stageTemplate(stage.world, never);
  assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), ["one", "two"]);
  const now = await Deno.stat(folder);
  assertEquals([now.ino, now.mode! & 0o777], [ino, 0o750]);
});

Deno.test("stageTemplate: a file cannot replace a mounted folder", async () => {
  await using stage = await stageOf([{ name: "a", path: "/a", s3: { key: "text/" } }]);
  stage.store.objects.set("text/", new TextEncoder().encode("text"));
  await assertRejects(
    () => stageTemplate(stage.world, never),
    Error,
    "a is a mounted folder and cannot be replaced by a file",
  );
});

Deno.test("stageTemplate: places an inner artifact inside the outer one in a volume, in any order", async () => {
  const inner = { name: "inner", path: "/data/outer/inner", s3: { key: "text" } };
  const outer = { name: "outer", path: "/data/outer", s3: { key: "tree" } };
  for (const artifacts of [[inner, outer], [outer, inner]]) {
    await using stage = await stageOf(artifacts, { mounts: ["/data"] });
    stage.store.objects.set("text", new TextEncoder().encode("inner"));
    stage.store.objects.set("tree", await archiveOf(packTarGz));
    await stageTemplate(stage.world, never);
    const read = (name: string) => stage.world.read(`${PATH.mainFileSystem}/data/outer/${name}`);
    assertEquals([await read("one"), await read("inner")], ["one", "inner"]);
  }
});

Deno.test("stageTemplate: skips a missing optional artifact and fails for a missing required one", async () => {
  const artifact = { name: "a", path: "/a", s3: { key: "none" } };
  await using optional = await stageOf([{ ...artifact, optional: true }]);
  await stageTemplate(optional.world, never);
  assertEquals(await optional.world.read(`${PATH.inputArtifacts}/a`), undefined);
  await using required = await stageOf([artifact]);
  await assertRejects(
    () => stageTemplate(required.world, never),
    Error,
    "failed to load non-plugin input artifacts: artifact a failed to load: no such key: none",
  );
});

Deno.test("stageTemplate: retries when a store is temporarily unreachable", async () => {
  await using stage = await stageOf([{ name: "a", path: "/a", s3: { key: "a" } }]);
  const { store } = stage;
  store.objects.set("a", new TextEncoder().encode("content"));
  let tries = 0;
  store.during = () => {
    if (++tries < 3) throw new Deno.errors.ConnectionRefused("not yet");
  };
  const impatient = { ...stage.world, clock: { now: Date.now, after: (_: number, act: () => void) => (act(), act) } };
  await stageTemplate(impatient, never);
  assertEquals(tries, 3);
});

Deno.test("stageTemplate: loads the manifest of a resource template like an input", async () => {
  const manifestFrom = { artifact: { name: "m", raw: { data: "kind: ConfigMap" } } };
  const env = { [ENV.template]: JSON.stringify({ resource: { manifestFrom } }) };
  await using world = await testWorld({ container: "supervisor", env });
  await stageTemplate(world, never);
  assertEquals(await world.read(`${PATH.inputArtifacts}/m`), "kind: ConfigMap");
});

Deno.test("loadInputs: starts no download if stop is already aborted", async () => {
  const artifacts = ["a", "b"].map((name) => ({ name, path: `/${name}`, raw: { data: name } }));
  await using stage = await stageOf(artifacts);
  const template = { container: {}, inputs: { artifacts } };
  const stop = new AbortController();
  const loading = loadInputs(stage.world, template, { plugins: [], others: true }, stop.signal);
  stop.abort(new Error("the pod is being terminated"));
  await assertRejects(() => loading, Error, "the pod is being terminated");
});

Deno.test("stageTemplate: loads an artifact that was overwritten since its step, and logs a warning", async () => {
  const input = (name: string, size: number) => ({ name, path: `/${name}`, s3: { bucket: "b", key: name }, size });
  await using stage = await stageOf([input("same", 5), input("other", 9)]);
  const { store, world } = stage;
  for (const name of ["same", "other"]) store.objects.set(name, new TextEncoder().encode("bytes"));
  await stageTemplate(world, never);
  const told = world.logged.filter((line) => line.includes("differs from what its step saved"));
  assertEquals(told.map((line) => line.split(":")[0]), ["artifact other"]);
});

Deno.test({
  ...needs(
    "Linux",
    Deno.build.os === "linux",
    "stageTemplate: resumes the download of a large input after a kill (AN-04)",
  ),
  fn: async () => {
    const LARGE = 17 << 20;
    const loaded = { name: "a", path: "/a", archive: { none: {} }, s3: { key: "a" } };
    const inVolume = { ...loaded, name: "b", path: "/data/b" };
    await using stage = await stageOf([loaded, inVolume], { mounts: ["/data"] });
    const { store, world } = stage;
    store.objects.set("a", new Uint8Array(LARGE).fill(7));
    const reached: string[] = [];
    const both = Promise.withResolvers<void>();
    const asked: string[] = [];
    const reading = (stuck: boolean): TestWorld["driverFor"] => async (location) => {
      const driver = await store.driverFor(location) as Driver;
      return {
        ...driver,
        async read(location, part, stop) {
          asked.push(`from ${part.from ?? 0}`);
          if (!stuck) return await driver.read(location, part, stop);
          let isFirst = true;
          return new ReadableStream({
            pull(stream) {
              if (!isFirst) {
                reached.push(location.key);
                if (reached.length === 2) both.resolve();
                return new Promise(() => {});
              }
              stream.enqueue(new Uint8Array(1 << 20).fill(7));
              isFirst = false;
            },
          }, { highWaterMark: 0 });
        },
      };
    };
    stageTemplate({ ...world, driverFor: reading(true) }, never).catch(() => {});
    await both.promise;
    asked.length = 0;
    await stageTemplate({ ...world, driverFor: reading(false) }, never);
    // A volume of the user may outlive the pod, and others may write to it, so its download does not resume.
    assertEquals(asked.sort(), ["from 0", `from ${1 << 20}`]);
    for (const path of [`${PATH.inputArtifacts}/a`, `${PATH.mainFileSystem}/data/b`]) {
      assertEquals((await Deno.stat(at(world, path))).size, LARGE);
    }
    assertEquals([...Deno.readDirSync(at(world, PATH.inputArtifacts))].map(({ name }) => name), ["a"]);
  },
});

Deno.test("stageTemplate: reads inputs from the node cache if the pod has one (AN-10)", async () => {
  await using stage = await stageOf([{ name: "a", path: "/a", archive: { none: {} }, s3: { key: "a" } }]);
  const { store, world } = stage;
  store.objects.set("a", new Uint8Array(2 << 20).fill(7));
  await Deno.mkdir(at(world, ARTIFACT_CACHE.path), { recursive: true });
  const stages = (env: Record<string, string>) =>
    stageTemplate({ ...world, env: (name) => env[name] ?? world.env(name) }, never);
  const reads = () => store.events.filter((event) => event === "loaded a").length;
  for (const [limit, expected] of [["", 1], ["no number", 2], [`${10 << 20}`, 3], [`${10 << 20}`, 3]] as const) {
    await stages({ [ARTIFACT_CACHE.limit]: limit });
    assertEquals([reads(), (await Deno.stat(at(world, `${PATH.inputArtifacts}/a`))).size], [expected, 2 << 20]);
  }
});
