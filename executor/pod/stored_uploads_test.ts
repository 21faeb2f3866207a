import { assertEquals } from "@std/assert";
import { storedUploads } from "./stored_uploads.ts";

async function inFolder(act: (root: string) => void): Promise<void> {
  const root = await Deno.makeTempDir();
  try {
    act(root);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test("storedUploads: returns the record of a previous run until it is removed", () =>
  inFolder((root) => {
    const before = storedUploads(root);
    assertEquals(before.get("ab"), undefined);
    before.put("ab", "first");
    before.put("ab", "second");
    before.put("cd", "other");
    const after = storedUploads(root);
    assertEquals([after.get("ab"), after.get("cd")], ["second", "other"]);
    after.forget("ab");
    assertEquals([after.get("ab"), after.get("cd")], [undefined, "other"]);
    assertEquals(Deno.statSync(`${root}/tmp/tiphys/uploads`).mode! & 0o777, 0o700 & ~Deno.umask());
  }));

Deno.test("storedUploads: records that cannot be read or written are ignored, and links are not followed", () =>
  inFolder((root) => {
    Deno.writeTextFileSync(`${root}/tmp`, "a file, where a folder should be");
    const none = storedUploads(root);
    none.put("ab", "said");
    none.forget("ab");
    assertEquals(none.get("ab"), undefined);
    Deno.removeSync(`${root}/tmp`);
    Deno.mkdirSync(`${root}/tmp/tiphys/uploads`, { recursive: true });
    Deno.writeTextFileSync(`${root}/secret`, "secret");
    Deno.symlinkSync(`${root}/secret`, `${root}/tmp/tiphys/uploads/ab.json`);
    assertEquals(none.get("ab"), undefined);
    none.put("ab", "said");
    assertEquals([none.get("ab"), Deno.readTextFileSync(`${root}/secret`)], ["said", "secret"]);
    Deno.writeTextFileSync(`${root}/tmp/tiphys/uploads/cd.json`, "x".repeat(20_000));
    assertEquals(none.get("cd"), undefined);
  }));
