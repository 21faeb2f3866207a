/** Archives that Argo's executor packed are unpacked to their original content. */
import { assertEquals } from "@std/assert";
import { TAR_OF_FILE, TAR_OF_FOLDER, ZIP_OF_FILE, ZIP_OF_FOLDER } from "./testing/argo_archives.ts";
import { untarAt, unzipAt } from "./testing/by_path.ts";
import { listingOf } from "./testing/raw_archives.ts";

/** Lists the content of an archive without owners and times. */
async function listContent(archive: Uint8Array, unpack: typeof untarAt): Promise<string[]> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.mkdir(`${folder}/out`);
    await Deno.writeFile(`${folder}/archive`, archive);
    await unpack(`${folder}/archive`, `${folder}/out`);
    return listingOf(`${folder}/out`).map((line) => line.replace(/ \d+:\d+/, "").replace(/ x1 -?\d+/, ""));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("untar() unpacks Argo's archives: a file, and a folder with links, modes and empty folders", async () => {
  assertEquals(await listContent(TAR_OF_FILE, untarAt), ["/text 644 4 text"]);
  assertEquals(await listContent(TAR_OF_FOLDER, untarAt), [
    "/tree 755/",
    "/tree/hollow 755/",
    "/tree/link 777 -> text",
    "/tree/run 755 4 echo",
    "/tree/sub 755/",
    "/tree/sub/bücher 644 7 unicode",
    "/tree/text 644 4 text",
  ]);
});

Deno.test("unzip() unpacks Argo's archives: a file with an absolute name, and a folder", async () => {
  assertEquals(await listContent(ZIP_OF_FILE, unzipAt), ["/text 644 4 text"]);
  assertEquals(await listContent(ZIP_OF_FOLDER, unzipAt), [
    "/tree 755/",
    "/tree/link 644 0 ",
    "/tree/run 644 4 echo",
    "/tree/sub 755/",
    "/tree/sub/bücher 644 7 unicode",
    "/tree/text 644 4 text",
  ]);
});
