import { assertEquals } from "@std/assert";
import { changeOwners } from "./belonging.ts";
import { needs } from "../../../lib/base/testing/needs.ts";

const isRoot = Deno.build.os === "linux" && Deno.uid() === 0;
const ROOT = 2_000_000_000;

Deno.test({
  ...needs("root on Linux", isRoot, "adopt() changes the owner of a folder once, and not of the targets of its links"),
  async fn() {
    const base = await Deno.makeTempDir();
    try {
      await Deno.mkdir(`${base}/claim/inner`, { recursive: true });
      for (const file of ["outside", "claim/inner/file", "claim/program"]) {
        await Deno.writeTextFile(`${base}/${file}`, "");
      }
      await Deno.chown(`${base}/claim/inner/file`, 1000, 1001);
      await Deno.chmod(`${base}/claim/program`, 0o4755);
      await Deno.symlink(`${base}/outside`, `${base}/claim/link`);
      const owners = () =>
        ["outside", "claim", "claim/inner", "claim/inner/file", "claim/link"].map((path) => {
          const { uid, gid } = Deno.lstatSync(`${base}/${path}`);
          return [uid, gid];
        });
      const expected = [[0, 0], [ROOT, ROOT], [ROOT, ROOT], [ROOT + 1000, ROOT + 1001], [ROOT, ROOT]];
      changeOwners(`${base}/claim`, ROOT);
      assertEquals(owners(), expected);
      assertEquals(Deno.statSync(`${base}/claim/program`).mode! & 0o7777, 0o4755);
      changeOwners(`${base}/claim`, ROOT);
      assertEquals(owners(), expected);
    } finally {
      await Deno.remove(base, { recursive: true });
    }
  },
});
