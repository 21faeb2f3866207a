/** Links in an archive led the entries behind them outside: files, then folders and the modes of what was there. */
import { assertEquals, assertMatch } from "@std/assert";
import { listingOf, type RawEntry, rawTar, rawZip } from "../../lib/artifacts/formats/testing/raw_archives.ts";
import { beginUnpacking, finishUnpacking, unpackLayer } from "../../local/image/unpack_layer.ts";
import { type Attempt, unpackAsInput } from "./unpack_as_input.ts";

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

const FORMATS: readonly [string, (entries: readonly RawEntry[]) => Uint8Array<ArrayBuffer>, Attempt["archive"]][] = [
  ["tar", rawTar, { tar: {} }],
  ["zip", rawZip, { zip: {} }],
];

for (const [format, write, archive] of FORMATS) {
  Deno.test(`CVE-2025-66626: no entry of a ${format} archive goes through a link of the same archive`, async () => {
    for (const entries of SLIPS) {
      const { problem, outside } = await unpackAsInput({ bytes: write(entries), archive });
      assertEquals(outside, [], JSON.stringify(entries));
      assertMatch(problem ?? "it was taken", /illegal (file path|symlink target) in archive/, JSON.stringify(entries));
    }
  });
}

Deno.test("CVE-2025-66626: a layer of an image reads its links as if its folder were the root of all", async () => {
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
