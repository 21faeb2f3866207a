import { assert, assertEquals } from "@std/assert";
import { canMakePrograms } from "@tiphys/portable/elf";
import { needs } from "../../lib/base/testing/needs.ts";
import { removeTree } from "./remove_tree.ts";
import { nestingProgram, runOutside } from "../kubelet/runtime/testing/prober.ts";
import { isThere } from "../kubelet/runtime/testing/promises.ts";

/** Memory is faster than a disk for many folders. */
const dir = isThere("/dev/shm") ? "/dev/shm" : undefined;

Deno.test({
  ...needs(
    "Linux",
    canMakePrograms(),
    "removeTree: removes more nested folders than a recursive function can",
  ),
  async fn() {
    const folder = await Deno.makeTempDir({ dir });
    await runOutside(nestingProgram(folder, 12_000));
    await removeTree(folder);
    assert(!isThere(folder));
  },
});

Deno.test("removeTree: removes unreadable folders, and does not follow links", async () => {
  const folder = await Deno.makeTempDir({ dir });
  const other = await Deno.makeTempDir({ dir });
  await Deno.writeTextFile(`${other}/kept`, "");
  await Deno.mkdir(`${folder}/closed/in`, { recursive: true });
  await Deno.writeTextFile(`${folder}/closed/in/file`, "");
  await Deno.symlink(other, `${folder}/link`);
  await Deno.symlink(other, `${folder}/closed/in/link`);
  await Deno.chmod(`${folder}/closed/in`, 0);
  await Deno.chmod(`${folder}/closed`, 0);
  await removeTree(folder);
  await removeTree(folder);
  await removeTree(`${other}/kept/nothing`);
  assertEquals([isThere(folder), isThere(`${other}/kept`)], [false, true]);
  await removeTree(other);
});
