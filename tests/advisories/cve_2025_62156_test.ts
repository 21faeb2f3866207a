/** Archives wrote outside of the folder that they were unpacked to, by names that went up ("Zip Slip"). */
import { assertEquals, assertMatch } from "@std/assert";
import { rawTar, rawZip } from "../../lib/artifacts/formats/testing/raw_archives.ts";
import { type Attempt, unpackAsInput } from "./unpack_as_input.ts";

const NAMES = [
  "../escaped",
  "../../escaped",
  "a/../../escaped",
  "a/b/../../../escaped",
  "/escaped",
  "//escaped",
  "./../escaped",
  "..",
  "a/..//../escaped",
];

const FORMATS: readonly [string, (name: string) => Uint8Array<ArrayBuffer>, Attempt["archive"]][] = [
  ["tar", (name) => rawTar([{ name, text: "escaped" }]), { tar: {} }],
  // A single file with an absolute name is that file, as Argo packs one: a second entry makes it an archive of several.
  ["zip", (name) => rawZip([{ name, text: "escaped" }, { name: "other", text: "" }]), { zip: {} }],
];

for (const [format, write, archive] of FORMATS) {
  Deno.test(`CVE-2025-62156: an input artifact in a ${format} archive puts nothing outside of its place`, async () => {
    for (const name of NAMES) {
      const { problem, outside } = await unpackAsInput({ bytes: write(name), archive });
      assertEquals(outside, [], name);
      assertMatch(problem ?? "it was taken", /illegal file path in archive/, name);
    }
  });
}
