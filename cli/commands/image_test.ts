import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { archiveOf, madeImage, serveRegistry } from "../../local/image/testing/made_image.ts";
import { removeTree } from "../../local/image/remove_tree.ts";
import { FakeWorld, type FakeWorldOptions } from "../testing/fake_world.ts";

const hello = await madeImage([[{ name: "hello", text: "hello" }]]);

async function withImages(options: FakeWorldOptions, act: (world: FakeWorld) => Promise<void>): Promise<void> {
  const imageFolder = await Deno.makeTempDir();
  using world = new FakeWorld({ ...options, imageFolder, now: new Date(Date.now() + 185_000) });
  try {
    await act(world);
  } finally {
    await removeTree(imageFolder);
  }
}

const archive = await archiveOf(hello, "team/hello:1");

Deno.test("image load: stores an archive under the name that it contains, and ls shows it", () =>
  withImages({ files: { "hello.tar": archive } }, async (world) => {
    assertEquals(await world.run("image", "load", "hello.tar"), 0);
    assertEquals(world.output, "Loaded team/hello:1\n");
    assertEquals(await world.run("image", "ls"), 0);
    assertMatch(world.output, /^NAME +DIGEST +SIZE +SINCE\nteam\/hello:1 +sha256:[0-9a-f]{12} +0\.0 MB +3m\n$/);
    assertEquals(await world.run("image", "ls", "-o", "wide"), 0);
    assertStringIncludes(world.output, hello.digest);
    assertEquals(await world.run("image", "ls", "-o", "name"), 0);
    assertEquals(world.output, "team/hello:1\n");
    assertEquals(await world.run("image", "ls", "-o", "json"), 0);
    const [row] = JSON.parse(world.output);
    assertEquals([row.name, row.digest, row.size > 0], ["team/hello:1", hello.digest, true]);
  }));

Deno.test("image load: --name sets the name of the image", () =>
  withImages({ files: { "hello.tar": archive } }, async (world) => {
    assertEquals(await world.run("image", "load", "hello.tar", "--name", "mine"), 0);
    assertEquals(world.output, "Loaded mine:latest\n");
  }));

Deno.test("image load: an invalid file or name exits with 2 and an error that names it", () =>
  withImages({ files: { "text": "no archive" } }, async (world) => {
    assertEquals(await world.run("image", "load", "nowhere"), 2);
    assertEquals(world.errors, "Could not read nowhere: file not found\n");
    assertEquals(await world.run("image", "load", "text"), 2);
    assertMatch(world.errors, /^Could not load text: ./);
    assertEquals(await world.run("image", "load", "text", "--name", "No Name"), 2);
    assertEquals(
      world.errors,
      'Expected the name of an image, such as "registry.example/team/tool:1.2", got "No Name"\n',
    );
  }));

Deno.test("image pull: reports progress, and continues with other images after a failure", async () => {
  await using registry = serveRegistry({ "hello:1": hello });
  await withImages({}, async (world) => {
    const names = [`${registry.host}/none:1`, `${registry.host}/hello:1`];
    assertEquals(await world.run("image", "pull", ...names), 1);
    assertStringIncludes(world.errors, `failed to pull and unpack image "${names[0]}"`);
    assertStringIncludes(world.errors, `Pulling ${names[1]}: 0.0 of 0.0 MB\n`);
    assertEquals(world.output, `Pulled ${names[1]} (${hello.digest})\n`);
  });
});

Deno.test("image rm: removes an image, and fails for an unknown one", () =>
  withImages({ files: { "hello.tar": archive } }, async (world) => {
    await world.run("image", "load", "hello.tar");
    assertEquals(await world.run("image", "rm", "team/hello:1", "team/hello:1"), 1);
    assertEquals([world.output, world.errors], ["Removed team/hello:1\n", "Image team/hello:1 not found\n"]);
    assertEquals(await world.run("image", "ls"), 0);
    assertEquals(world.output, "No images found\n");
  }));

Deno.test("image prune: prints the size that was freed", async () => {
  const noise = crypto.getRandomValues(new Uint8Array(60_000)).toHex() +
    crypto.getRandomValues(new Uint8Array(60_000)).toHex();
  const large = await archiveOf(await madeImage([[{ name: "noise", text: noise }]]), "large:1");
  await withImages({ files: { "large.tar": large } }, async (world) => {
    await world.run("image", "load", "large.tar");
    await world.run("image", "prune");
    assertEquals(world.output, "Freed 0.0 MB\n");
    await world.run("image", "rm", "large:1");
    assertEquals(await world.run("image", "prune"), 0);
    assertEquals(world.output, "Freed 0.1 MB\n");
  });
});
