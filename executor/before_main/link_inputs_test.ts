import { assertEquals, assertRejects } from "@std/assert";
import { PATH } from "@tiphys/base/constants";
import { linkInputs } from "./link_inputs.ts";
import type { PodTemplate } from "../pod/template.ts";
import { at } from "../world.ts";
import { type TestWorld, testWorld } from "../testing/world.ts";

/** A world in which artifacts were loaded, each with its name as content. */
async function loadedWorld(...names: string[]): Promise<TestWorld> {
  const world = await testWorld();
  for (const name of names) await world.write(`${PATH.inputArtifacts}/${name}`, name);
  return world;
}

function inputs(...artifacts: [name: string, path: string][]): PodTemplate {
  return { container: {}, inputs: { artifacts: artifacts.map(([name, path]) => ({ name, path })) } };
}

Deno.test("linkInputs: an artifact is readable at its path, and its parent folders for every user (IL-81)", async () => {
  await using world = await loadedWorld("a");
  await linkInputs(world, inputs(["a", "/new/folder/a"]));
  assertEquals(await world.read("/new/folder/a"), "a");
  assertEquals((await Deno.stat(at(world, "/new"))).mode! & 0o555, 0o555);
});

Deno.test("linkInputs: replaces a file of the image at the path (IL-05)", async () => {
  await using world = await loadedWorld("a");
  await world.write("/data/of/the/image", "old");
  await linkInputs(world, inputs(["a", "/data"]));
  assertEquals(await world.read("/data"), "a");
});

Deno.test("linkInputs: replaces a link of the image but keeps its target (IL-30)", async () => {
  await using world = await loadedWorld("a");
  await world.write("/target", "kept");
  await Deno.symlink(at(world, "/target"), at(world, "/link"));
  await linkInputs(world, inputs(["a", "/link"]));
  assertEquals(await world.read("/link"), "a");
  assertEquals(await world.read("/target"), "kept");
});

Deno.test("linkInputs: refuses to replace content of a volume, even through a link (IL-06)", async () => {
  await using world = await loadedWorld("a");
  await world.write("/volume/file", "precious");
  await Deno.symlink(at(world, "/volume"), at(world, "/alias"));
  const template = {
    ...inputs(["a", "/alias/file"]),
    container: { volumeMounts: [{ name: "v", mountPath: "/volume" }] },
  };
  const error = await assertRejects(() => linkInputs(world, template), Error, 'refusing to stage input artifact "a"');
  assertEquals(error.message.includes('inside volume mount "v" (/volume)'), true);
  assertEquals(await world.read("/volume/file"), "precious");
});

Deno.test("linkInputs: recognizes a volume whose mount path contains a link of the image (IL-06)", async () => {
  await using world = await loadedWorld("a");
  await world.write("/run/data/file", "precious");
  await Deno.symlink(at(world, "/run"), at(world, "/alias"));
  const container = { volumeMounts: [{ name: "v", mountPath: "/alias/data" }] };
  for (const path of ["/run/data/file", "/run/data", "/run"]) {
    const template = { ...inputs(["a", path]), container };
    await assertRejects(() => linkInputs(world, template), Error, 'volume mount "v" (/alias/data)');
  }
  assertEquals(await world.read("/run/data/file"), "precious");
});

Deno.test("linkInputs: keeps content of volumes that only the main container of a container set mounts (IL-06)", async () => {
  await using world = await loadedWorld("a");
  await world.write("/own/file", "precious");
  const containers = [{ name: "main", volumeMounts: [{ name: "v", mountPath: "/own/" }] }];
  const template = { ...inputs(["a", "/own/file"]), container: undefined, containerSet: { containers } };
  await assertRejects(() => linkInputs(world, template), Error, 'inside volume mount "v" (/own)');
  assertEquals(await world.read("/own/file"), "precious");
});

Deno.test("linkInputs: creates a link in a volume if the path is free (IL-31)", async () => {
  await using world = await loadedWorld("a");
  await Deno.mkdir(at(world, "/volume"));
  await Deno.symlink(at(world, "/volume"), at(world, "/alias"));
  const template = {
    ...inputs(["a", "/alias/file"]),
    container: { volumeMounts: [{ name: "v", mountPath: "/volume" }] },
  };
  await linkInputs(world, template);
  assertEquals(await world.read("/volume/file"), "a");
});

Deno.test("linkInputs: skips artifacts that were not loaded (IL-28, IL-29)", async () => {
  await using world = await loadedWorld("a");
  await world.write("/volume/b", "loaded in place");
  await linkInputs(world, inputs(["missing", "/missing"], ["b", "/volume/b"], ["a", "/a"]));
  assertEquals(await world.read("/missing"), undefined);
  assertEquals(await world.read("/volume/b"), "loaded in place");
});

Deno.test("linkInputs: ignores a trailing slash (IL-52)", async () => {
  await using world = await loadedWorld("dir/file");
  await linkInputs(world, inputs(["dir", "/a/b/"]));
  assertEquals(await world.read("/a/b/file"), "dir/file");
});

for (const order of [["outer", "inner"], ["inner", "outer"]]) {
  Deno.test(`linkInputs: nested artifacts are both visible, ${order[0]} first (IL-53)`, async () => {
    await using world = await loadedWorld("outer/file", "inner");
    const paths: Record<string, string> = { outer: "/n", inner: "/n/x" };
    await linkInputs(world, inputs(...order.map((name) => [name, paths[name]] as [string, string])));
    assertEquals(await world.read("/n/file"), "outer/file");
    assertEquals(await world.read("/n/x"), "inner");
  });
}

Deno.test("linkInputs: keeps an artifact that is mounted at its path and links another one into it", async () => {
  await using world = await loadedWorld("repository/file", "inner");
  await world.write("/src/file", "mounted");
  const artifacts = [{ name: "repository", path: "/src", git: {} }, { name: "inner", path: "/src/inner" }];
  await linkInputs(world, { container: {}, inputs: { artifacts } });
  assertEquals(await world.read("/src/file"), "mounted");
  assertEquals(await world.read("/src/inner"), "inner");
});

Deno.test("linkInputs: returns to a replaced working directory, or fails if it is a file now (IL-32)", async () => {
  await using world = await loadedWorld("dir/file", "plain");
  const before = Deno.cwd();
  try {
    await Deno.mkdir(at(world, "/work"));
    Deno.chdir(at(world, "/work"));
    await linkInputs(world, inputs(["dir", "/work"]));
    assertEquals(await Deno.readTextFile("file"), "dir/file");

    await Deno.mkdir(at(world, "/other"));
    Deno.chdir(at(world, "/other"));
    await assertRejects(
      () => linkInputs(world, inputs(["plain", "/other"])),
      Error,
      "cannot enter the working directory",
    );
  } finally {
    Deno.chdir(before);
  }
});

Deno.test("linkInputs: does not change the root file system of a resource template", async () => {
  await using world = await testWorld();
  await world.write(`${PATH.inputArtifacts}/m`, "manifest");
  await linkInputs(world, { inputs: { artifacts: [{ name: "m", path: "/m.yaml" }] }, resource: {} });
  assertEquals(await world.read("/m.yaml"), undefined);
});
