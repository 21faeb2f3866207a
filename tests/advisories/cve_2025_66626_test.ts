/**
 * Links in an archive redirected later entries outside the target folder: files, folders, and the modes of existing
 * files.
 */
import { assertEquals, assertMatch } from "@std/assert";
import { listingOf, type RawEntry, rawTar, rawZip } from "../../lib/artifacts/formats/testing/raw_archives.ts";
import { beginUnpacking, finishUnpacking, unpackLayer } from "../../local/image/unpack_layer.ts";
import { type PackedInput, unpackInput } from "./unpack_input.ts";

const link = (name: string, target: string): RawEntry => ({ name, type: "link", target });
const folder = (name: string): RawEntry => ({ name, type: "folder", mode: 0o777 });

const SLIPS: readonly (readonly RawEntry[])[] = [
  [link("l", "/"), { name: "l/escaped", text: "x" }],
  [link("l", ".."), { name: "l/escaped", text: "x" }],
  [link("l", "../../.."), folder("l/beside")],
  [link("l", "../other"), folder("l")],
  [link("a/b/up", "../.."), link("a/b/out", "up/.."), folder("a/b/out/made")],
  [link("a/b/up", "../.."), link("a/b/out", "up/../.."), folder("a/b/out")],
  [folder("d"), link("d/l", ".."), folder("d/l/d"), { name: "d/l/escaped", text: "x" }],
  [folder("d"), link("l", "d"), folder("l/"), { name: "l/file", text: "x" }],
];

const FORMATS: readonly [string, (entries: readonly RawEntry[]) => Uint8Array<ArrayBuffer>, PackedInput["archive"]][] =
  [
    ["tar", rawTar, { tar: {} }],
    ["zip", rawZip, { zip: {} }],
  ];

for (const [format, write, archive] of FORMATS) {
  Deno.test(`CVE-2025-66626: no entry of a ${format} archive is written through a link of the same archive`, async () => {
    for (const entries of SLIPS) {
      const { problem, outside } = await unpackInput({ bytes: write(entries), archive });
      assertEquals(outside, [], JSON.stringify(entries));
      assertMatch(problem ?? "no error", /illegal (file path|symlink target) in archive/, JSON.stringify(entries));
    }
  });
}

Deno.test("CVE-2025-66626: links in an image layer resolve with the image's root folder as the file system root", async () => {
  for (const entries of SLIPS) {
    const base = await Deno.makeTempDir();
    await Deno.mkdir(`${base}/beside`, { mode: 0o700 });
    const before = listingOf(base);
    const unpacking = await beginUnpacking(`${base}/root`);
    using _ = unpacking.tree;
    await unpackLayer(unpacking, new Blob([rawTar(entries)]).stream());
    finishUnpacking(unpacking);
    assertEquals(listingOf(base).filter((line) => !line.startsWith("/root")), before);
    await Deno.remove(base, { recursive: true });
  }
});
