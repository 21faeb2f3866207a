import { assertEquals, assertRejects } from "@std/assert";
import { packTarGzAt as packTarGz, packZipAt as packZip } from "../../lib/artifact/formats/testing/by_path.ts";
import type { Driver } from "../../lib/artifact/mod.ts";
import { ENV, PATH } from "../../lib/constants.ts";
import { ARTIFACT_CACHE } from "../../lib/pod/artifact_cache.ts";
import { needs } from "../../lib/testing/needs.ts";
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

/** A supervisor's world with a store and a template of input artifacts. */
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

/** The bytes of an archive that holds a folder with two files. */
async function archiveOf(pack: typeof packTarGz | typeof packZip): Promise<Uint8Array<ArrayBuffer>> {
  const folder = await Deno.makeTempDir();
  await Deno.mkdir(`${folder}/tree`);
  for (const name of ["one", "two"]) await Deno.writeTextFile(`${folder}/tree/${name}`, name);
  await pack(`${folder}/tree`, "tree", `${folder}/archive`);
  const bytes = await Deno.readFile(`${folder}/archive`);
  await Deno.remove(folder, { recursive: true });
  return bytes;
}

Deno.test("inputPlugins() reads a list, whatever blanks and empty places are in it (IL-22)", async () => {
  await using world = await testWorld({ env: { [ENV.inputArtifactPluginNames]: " a, ,b," } });
  assertEquals(inputPlugins(world), ["a", "b"]);
});

Deno.test("stageTemplate() ends the loads of all others when one plugin fails, and tells that one's error (IL-21)", async () => {
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

Deno.test("stageTemplate() loads the artifacts of one plugin one after the other", async () => {
  const artifacts = ["a", "b"].map((name) => ({ name, path: `/${name}`, plugin: { name: "p", key: name } }));
  await using stage = await stageOf(artifacts, { plugins: "p" });
  for (const { name } of artifacts) stage.store.objects.set(name, new Uint8Array(1));
  await stageTemplate(stage.world, never);
  assertEquals(stage.store.events, ["load a", "loaded a", "load b", "loaded b"]);
});

Deno.test("stageTemplate() loads twenty artifacts of a store four at a time, and all of them (AR-23)", async () => {
  const names = Array.from({ length: 20 }, (_, index) => `a${index}`);
  await using stage = await stageOf(names.map((name) => ({ name, path: `/${name}`, s3: { key: name } })));
  for (const name of names) stage.store.objects.set(name, new TextEncoder().encode(name));
  let [now, most] = [0, 0];
  stage.store.during = async () => {
    most = Math.max(most, ++now);
    // A turn in which the others may begin: who waits for nobody has all of them begun by its end.
    await new Promise((resolve) => setTimeout(resolve));
    now--;
  };
  await stageTemplate(stage.world, never);
  assertEquals(most, 4);
  for (const name of names) {
    assertEquals(await Deno.readTextFile(at(stage.world, `${PATH.inputArtifacts}/${name}`)), name);
  }
});

Deno.test("stageTemplate() makes what a plugin brings usable for a main of any user (IL-82)", async () => {
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
  Deno.test(`stageTemplate() unpacks ${what}; its only entry takes the artifact's name`, async () => {
    await using stage = await stageOf([{ name: "a", path: "/a", s3: { key: "a" }, archive }]);
    stage.store.objects.set("a", await archiveOf(pack));
    await stageTemplate(stage.world, never);
    assertEquals(await stage.world.read(`${PATH.inputArtifacts}/a/two`), "two");
    assertEquals([...Deno.readDirSync(at(stage.world, PATH.inputArtifacts))].map(({ name }) => name), ["a"]);
  });
}

Deno.test("stageTemplate() leaves an archive as it is where the artifact says so, and what is none", async () => {
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

Deno.test("stageTemplate() gives an artifact its mode, and all below it where that is asked for", async () => {
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

Deno.test("stageTemplate() fills a volume that is itself an artifact's path, and replaces what is in the way", async () => {
  await using stage = await stageOf([{ name: "a", path: "/data", s3: { key: "a" } }], { mounts: ["/data"] });
  stage.store.objects.set("a", await archiveOf(packTarGz));
  await stage.world.write(`${PATH.mainFileSystem}/data/one`, "old");
  await stage.world.write(`${PATH.mainFileSystem}/data/other`, "kept");
  await stageTemplate(stage.world, never);
  const read = (name: string) => stage.world.read(`${PATH.mainFileSystem}/data/${name}`);
  assertEquals(await Promise.all(["one", "two", "other"].map(read)), ["one", "two", "kept"]);
});

Deno.test("stageTemplate() fills a folder that is mounted at an artifact's path, with its mode, and clears it before", async () => {
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

Deno.test("stageTemplate() says that a file cannot take the place of a folder that is mounted", async () => {
  await using stage = await stageOf([{ name: "a", path: "/a", s3: { key: "text/" } }]);
  stage.store.objects.set("text/", new TextEncoder().encode("text"));
  await assertRejects(() => stageTemplate(stage.world, never), Error, "a is a folder, which a file cannot replace");
});

Deno.test("stageTemplate() puts an inner artifact into the outer one in a volume, whatever their order", async () => {
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

Deno.test("stageTemplate() leaves out an optional artifact that its store does not have, and fails for another", async () => {
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

Deno.test("stageTemplate() tries again when a store is out of reach for a while", async () => {
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

Deno.test("stageTemplate() loads the manifest of a resource template like an input", async () => {
  const manifestFrom = { artifact: { name: "m", raw: { data: "kind: ConfigMap" } } };
  const env = { [ENV.template]: JSON.stringify({ resource: { manifestFrom } }) };
  await using world = await testWorld({ container: "supervisor", env });
  await stageTemplate(world, never);
  assertEquals(await world.read(`${PATH.inputArtifacts}/m`), "kind: ConfigMap");
});

Deno.test("loadInputs() that is told to stop before the first artifact is asked for leaves nothing under way", async () => {
  const artifacts = ["a", "b"].map((name) => ({ name, path: `/${name}`, raw: { data: name } }));
  await using stage = await stageOf(artifacts);
  const template = { container: {}, inputs: { artifacts } };
  const stop = new AbortController();
  const loading = loadInputs(stage.world, template, { plugins: [], others: true }, stop.signal);
  stop.abort(new Error("the pod ends"));
  await assertRejects(() => loading, Error, "the pod ends");
});

Deno.test("stageTemplate() tells of an artifact that is not what its step saved, and loads it all the same", async () => {
  const input = (name: string, size: number) => ({ name, path: `/${name}`, s3: { bucket: "b", key: name }, size });
  await using stage = await stageOf([input("same", 5), input("other", 9)]);
  const { store, world } = stage;
  for (const name of ["same", "other"]) store.objects.set(name, new TextEncoder().encode("bytes"));
  await stageTemplate(world, never);
  const told = world.logged.filter((line) => line.includes("it is not what its step saved"));
  assertEquals(told.map((line) => line.split(":")[0]), ["artifact other"]);
});

Deno.test({
  ...needs(
    "Linux",
    Deno.build.os === "linux",
    "stageTemplate() goes on where a killed supervisor has left a large input (AN-04)",
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
    const reading = (stuck: boolean): TestWorld["driverFor"] => async (place) => {
      const driver = await store.driverFor(place) as Driver;
      return {
        ...driver,
        async read(place, part, stop) {
          asked.push(`from ${part.from ?? 0}`);
          if (!stuck) return await driver.read(place, part, stop);
          let isFirst = true;
          return new ReadableStream({
            pull(stream) {
              if (!isFirst) {
                reached.push(place.key);
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
    // A volume of the user outlives the pod, and others write to it.
    assertEquals(asked.sort(), ["from 0", `from ${1 << 20}`]);
    for (const path of [`${PATH.inputArtifacts}/a`, `${PATH.mainFileSystem}/data/b`]) {
      assertEquals((await Deno.stat(at(world, path))).size, LARGE);
    }
    assertEquals([...Deno.readDirSync(at(world, PATH.inputArtifacts))].map(({ name }) => name), ["a"]);
  },
});

Deno.test("stageTemplate() takes inputs from the cache of its node, where the pod has one, and from nowhere else (AN-10)", async () => {
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
