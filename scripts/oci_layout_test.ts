import { assertEquals, assertNotEquals } from "@std/assert";
import { type Compression, packImageLayout, writeImageLayout } from "./oci_layout.ts";

/** The bytes of an image's archive whose root was created with these files, in this order. */
async function archiveOf(files: [name: string, text: string][], compression?: Compression): Promise<Uint8Array> {
  const work = await Deno.makeTempDir();
  await Deno.mkdir(`${work}/root/bin`, { recursive: true });
  for (const [name, text] of files) {
    await Deno.writeTextFile(`${work}/root/${name}`, text);
    await Deno.utime(`${work}/root/${name}`, Math.random() * 1e9, Math.random() * 1e9);
  }
  await writeImageLayout(`${work}/layout`, { roots: [`${work}/root`], reference: "a/b:1", compression });
  await packImageLayout(`${work}/layout`, `${work}/image.tar`);
  return await Deno.readFile(`${work}/image.tar`);
}

for (const kind of ["gzip", "zstd"] as const) {
  Deno.test(`image archive: has the same bytes whatever the creation times and order of its files: ${kind}`, async () => {
    const compression = { kind, level: 3 };
    const first = await archiveOf([["a", "1"], ["bin/b", "2"]], compression);
    assertEquals(first, await archiveOf([["bin/b", "2"], ["a", "1"]], compression));
    assertNotEquals(first, await archiveOf([["bin/b", "3"], ["a", "1"]], compression));
  });
}

Deno.test("image layer: compressed once: the next image with the same files uses the cache", async () => {
  const work = await Deno.makeTempDir();
  await Deno.mkdir(`${work}/root`);
  await Deno.writeTextFile(`${work}/root/file`, "text");
  const write = async (folder: string) => {
    await writeImageLayout(folder, { roots: [`${work}/root`], reference: "a/b:1", layerCache: `${work}/cache` });
    const [layer] = [...Deno.readDirSync(`${work}/cache`)].map(({ name }) => name);
    return (await Deno.stat(`${work}/cache/${layer}`)).mtime;
  };
  const written = await write(`${work}/1`);
  assertEquals(await write(`${work}/2`), written);
  const index = (folder: string) => Deno.readTextFile(`${folder}/index.json`);
  assertEquals(await index(`${work}/1`), await index(`${work}/2`));
});
