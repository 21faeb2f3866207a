import { assertEquals, assertMatch } from "@std/assert";
import { untarAt as untar, unzipAt as unzip } from "../../lib/artifacts/formats/testing/by_path.ts";
import { ENV, PATH } from "@tiphys/base/constants";
import type { Driver } from "@tiphys/model/artifact";
import { startsWithZstdMark } from "@tiphys/artifacts/formats";
import { COMPRESSION } from "../pod/compression.ts";
import { collectOutputs } from "../command/collect.ts";
import { memoryStore } from "../testing/memory_store.ts";
import { saveArtifacts } from "./save_artifacts.ts";
import type { PodTemplate, TemplateArtifact } from "../pod/template.ts";
import { at, type World } from "../world.ts";
import { testWorld } from "../testing/world.ts";

/**
 * A pod whose main left the folder `/out/tree` and the file `/out/text` in its image and, below `/data`, in a volume.
 */
async function podWithOutputs(artifacts: TemplateArtifact[], more: Partial<PodTemplate> = {}) {
  const store = memoryStore();
  const world = await testWorld({ env: { ARGO_INITLESS_POD: "true" }, driverFor: store.driverFor });
  for (const folder of ["/out", `${PATH.mainFileSystem}/data`]) {
    await world.write(`${folder}/tree/file`, "in the tree");
    await world.write(`${folder}/text`, "text");
    await world.write(`${folder}/empty`, "");
  }
  const template: PodTemplate = {
    container: { volumeMounts: [{ name: "v", mountPath: "/data" }] },
    outputs: { artifacts },
    archiveLocation: { s3: { bucket: "b", key: "wf/pod" } },
    ...more,
  };
  await collectOutputs(world, template);
  return { store, world, template };
}

/** Returns the names of the entries of an archive. */
async function unpackNames(world: World, bytes: Uint8Array<ArrayBuffer>, unpack: typeof untar): Promise<string[]> {
  const folder = at(world, "/unpacked");
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeFile(at(world, "/archive"), bytes);
  await unpack(at(world, "/archive"), folder);
  const names: string[] = [];
  const visit = (path: string) => {
    for (const { name, isDirectory } of Deno.readDirSync(path)) {
      if (isDirectory) visit(`${path}/${name}`);
      else names.push(`${path}/${name}`.slice(folder.length));
    }
  };
  visit(folder);
  await Deno.remove(folder, { recursive: true });
  return names.sort();
}

for (const [place, path] of [["the image", "/out"], ["a volume", "/data"]]) {
  Deno.test(`saveArtifacts: saves a folder in ${place} as tgz or zip, and a file unchanged`, async () => {
    const { store, world, template } = await podWithOutputs([
      { name: "plain", path: `${path}/tree` },
      { name: "zipped", path: `${path}/tree/`, archive: { zip: {} } },
      { name: "bare", path: `${path}/text`, archive: { none: {} } },
      { name: "hard", path: `${path}/tree`, archive: { tar: { compressionLevel: 9 } } },
    ]);
    await using _ = world;
    const { artifacts, problems } = await saveArtifacts(world, template);
    assertEquals(problems, []);
    assertEquals([...store.objects.keys()], [
      "wf/pod/plain.tgz",
      "wf/pod/zipped.zip",
      "wf/pod/text",
      "wf/pod/hard.tgz",
    ]);
    // The bucket is omitted because it is the bucket of the artifact repository, which is in the workflow's status.
    assertEquals(artifacts.map(({ s3 }) => s3), [...store.objects.keys()].map((key) => ({ key })));
    assertEquals(store.places.map(({ settings }) => settings), Array(4).fill({ bucket: "b" }));
    assertEquals(await unpackNames(world, store.objects.get("wf/pod/plain.tgz")!, untar), ["/tree/file"]);
    assertEquals(await unpackNames(world, store.objects.get("wf/pod/zipped.zip")!, unzip), ["/tree/file"]);
    assertEquals(new TextDecoder().decode(store.objects.get("wf/pod/text")), "text");
  });
}

for (const [place, path] of [["the image", "/out"], ["a volume", "/data"]]) {
  Deno.test(`saveArtifacts: compresses tar archives of ${place} with zstd if the template requests it`, async () => {
    const metadata = { annotations: { [COMPRESSION]: "zstd" } };
    const { store, world, template } = await podWithOutputs([
      { name: "plain", path: `${path}/tree` },
      { name: "zipped", path: `${path}/tree`, archive: { zip: {} } },
      { name: "bare", path: `${path}/text`, archive: { none: {} } },
      { name: "hard", path: `${path}/text`, archive: { tar: { compressionLevel: 9 } } },
    ], { metadata });
    await using _ = world;
    const { artifacts, problems } = await saveArtifacts(world, template);
    assertEquals(problems, []);
    const keys = ["wf/pod/plain.tar.zst", "wf/pod/zipped.zip", "wf/pod/text", "wf/pod/hard.tar.zst"];
    assertEquals([...store.objects.keys()], keys);
    const archives = [store.objects.get(keys[0]!)!, store.objects.get(keys[3]!)!];
    assertEquals(archives.map(startsWithZstdMark), [true, true]);
    assertEquals(artifacts[0]!.size, archives[0]!.length);
    assertEquals(await unpackNames(world, archives[0]!, untar), ["/tree/file"]);
    assertEquals(await unpackNames(world, archives[1]!, untar), ["/text"]);
    assertEquals(await unpackNames(world, store.objects.get(keys[1]!)!, unzip), ["/tree/file"]);
  });
}

Deno.test("saveArtifacts: an unknown compression is logged, and gzip is used", async () => {
  const metadata = { annotations: { [COMPRESSION]: "brotli" } };
  const { store, world, template } = await podWithOutputs([{ name: "o", path: "/out/text" }], { metadata });
  await using _ = world;
  await saveArtifacts(world, template);
  assertEquals([...store.objects.keys()], ["wf/pod/o.tgz"]);
  assertMatch(world.logged.join("\n"), /expected zstd or gzip, got "brotli"/);
});

Deno.test("saveArtifacts: keeps the key of the artifact", async () => {
  const { store, world, template } = await podWithOutputs([{ name: "o", path: "/out/text", s3: { key: "own/key" } }]);
  await using _ = world;
  const { artifacts } = await saveArtifacts(world, template);
  assertEquals([...store.objects.keys()], ["own/key"]);
  assertEquals(artifacts.at(0)?.s3, { key: "own/key" });
});

Deno.test("saveArtifacts: saves the existing artifacts and reports every missing one", async () => {
  const { store, world, template } = await podWithOutputs([
    { name: "first", path: "/out/first" },
    { name: "text", path: "/out/text" },
    { name: "second", path: "/data/second" },
    { name: "optional", path: "/data/optional", optional: true },
  ]);
  await using _ = world;
  const { artifacts, problems } = await saveArtifacts(world, template);
  assertEquals(problems, ["/out/first no such file or directory", "/data/second no such file or directory"]);
  assertEquals(artifacts.map(({ name }) => name), ["text"]);
  assertEquals([...store.objects.keys()], ["wf/pod/text.tgz"]);
});

Deno.test("saveArtifacts: saves an empty file and logs a warning", async () => {
  const { store, world, template } = await podWithOutputs([{ name: "e", path: "/data/empty", archive: { none: {} } }]);
  await using _ = world;
  await saveArtifacts(world, template);
  assertEquals(store.objects.get("wf/pod/empty")?.length, 0);
  assertMatch(world.logged.join(), /artifact e is empty/);
});

Deno.test("saveArtifacts: without an artifact repository, the error explains how to configure one", async () => {
  const { world, template } = await podWithOutputs([{ name: "o", path: "/out/text" }], { archiveLocation: undefined });
  await using _ = world;
  assertMatch(
    (await saveArtifacts(world, template)).problems[0] ?? "",
    /^artifact storage is not configured; see the docs/,
  );
});

Deno.test("saveArtifacts: a raw output artifact is an error", async () => {
  const { world, template } = await podWithOutputs([{ name: "o", path: "/out/text", raw: { data: "" } }]);
  await using _ = world;
  assertMatch((await saveArtifacts(world, template)).problems[0] ?? "", /Raw output artifacts unsupported/);
});

Deno.test("saveArtifacts: reports digest and size of an archive, and object count and size of a folder", async () => {
  const { store, world, template } = await podWithOutputs([
    { name: "packed", path: "/out/tree" },
    { name: "files", path: "/out/tree", archive: { none: {} }, digest: "sha256:what the template says", objects: 9 },
  ]);
  await using _ = world;
  const [packed, files] = (await saveArtifacts(world, template)).artifacts;
  const archive = store.objects.get("wf/pod/packed.tgz")!;
  const sum = new Uint8Array(await crypto.subtle.digest("SHA-256", archive)).toHex();
  assertEquals([packed!.digest, packed!.size, packed!.objects], [`sha256:${sum}`, archive.length, undefined]);
  assertEquals([files!.digest, files!.size, files!.objects], [undefined, "in the tree".length, 1]);
});

Deno.test("saveArtifacts: queries the store only for keys that the template sets and that are not unique to the run (AN-03)", async () => {
  const keys = ["given/report", "of-wf-1/report", "of-wf-1-pod-2/report", "of-uid-3/report"];
  const given = keys.map((key, number) => ({
    name: `given-${number}`,
    path: "/data/text",
    archive: { none: {} },
    s3: { key },
  }));
  const { store, world, template } = await podWithOutputs([{ name: "usual", path: "/data/text" }, ...given]);
  await using _ = world;
  const asked: string[] = [];
  const driverFor: World["driverFor"] = async (location) => {
    const driver = await store.driverFor(location) as Driver;
    return {
      ...driver,
      can: { ...driver.can, skipsExisting: true },
      async write(location, content, stop, writing) {
        if (writing?.skipsExisting) asked.push(location.key);
        const written = await driver.write(location, content, stop);
        return writing?.skipsExisting ? { ...written, hasExisted: true } : written;
      },
    };
  };
  const env = { [ENV.workflowName]: "wf-1", [ENV.podName]: "wf-1-pod-2", [ENV.workflowUid]: "uid-3" };
  const pod = { ...world, driverFor, env: (name: string) => (env as Record<string, string>)[name] ?? world.env(name) };
  const { artifacts, problems } = await saveArtifacts(pod, template);
  assertEquals([problems, asked], [[], ["given/report"]]);
  assertEquals(artifacts.slice(1).map(({ size }) => size), [4, 4, 4, 4]);
  assertEquals(new Set(artifacts.slice(1).map(({ digest }) => digest)).size, 1);
  assertMatch(
    world.logged.join("\n"),
    /artifact given-0: skipped 1 object, already stored with the same digest/,
  );
});
