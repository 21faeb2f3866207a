import { assertEquals, assertRejects } from "@std/assert";
import type { Bytes } from "@tiphys/base/net";
import { tarGzOfItems } from "./tar_of_items.ts";
import { untarAt } from "./testing/by_path.ts";
import { listingOf } from "./testing/raw_archives.ts";

const MTIME = new Date(1_700_000_000_000);

async function* items(...all: readonly (readonly [name: string, text: string, size?: number])[]) {
  for (const [name, text, size = text.length] of all) {
    const content = () => Promise.resolve(new Blob([text]).stream() as ReadableStream<Bytes>);
    yield await Promise.resolve({ name, size, content });
  }
}

Deno.test("tarGzOfItems() packs files and empty folders below one folder, with long names", async () => {
  const folder = await Deno.makeTempDir();
  await Deno.mkdir(`${folder}/out`);
  const long = `${"d".repeat(120)}/${"f".repeat(200)}`;
  const archive = await tarGzOfItems(
    items(["a", "1"], ["block", "x".repeat(512)], [long, "long"], ["none/", ""]),
    "top",
    MTIME,
  );
  await Deno.writeFile(`${folder}/archive`, archive);
  await untarAt(`${folder}/archive`, `${folder}/out`);
  assertEquals(listingOf(`${folder}/out`).map((line) => line.replace(/ \d+:\d+/, "")), [
    "/top 755/",
    `/top/a 644 1 x1 ${MTIME.getTime()} 1`,
    `/top/block 644 512 x1 ${MTIME.getTime()} ${"x".repeat(50)}`,
    `/top/${"d".repeat(120)} 755/`,
    `/top/${long} 644 4 x1 ${MTIME.getTime()} long`,
    "/top/none 755/",
  ]);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("tarGzOfItems() fails and cancels when content has a different size than listed", async () => {
  for (const size of [2, 5]) {
    const archive = await tarGzOfItems(items(["a", "123", size]), "top", MTIME);
    await assertRejects(() => new Response(archive).bytes(), Error, "another size");
  }
});
