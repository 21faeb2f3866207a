/** Entries of archives were written outside the target folder if their names contained `..` ("Zip Slip"). */
import { assertEquals, assertMatch } from "@std/assert";
import { rawTar, rawZip } from "../../lib/artifacts/formats/testing/raw_archives.ts";
import { type PackedInput, unpackInput } from "./unpack_input.ts";

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

const FORMATS: readonly [string, (name: string) => Uint8Array<ArrayBuffer>, PackedInput["archive"]][] = [
  ["tar", (name) => rawTar([{ name, text: "escaped" }]), { tar: {} }],
  // Argo packs a single file as an archive whose only entry has an absolute name. A second entry prevents that reading.
  ["zip", (name) => rawZip([{ name, text: "escaped" }, { name: "other", text: "" }]), { zip: {} }],
];

for (const [format, write, archive] of FORMATS) {
  Deno.test(`CVE-2025-62156: an input artifact in a ${format} archive writes nothing outside its path`, async () => {
    for (const name of NAMES) {
      const { problem, outside } = await unpackInput({ bytes: write(name), archive });
      assertEquals(outside, [], name);
      assertMatch(problem ?? "no error", /illegal file path in archive/, name);
    }
  });
}
