import { assertEquals } from "@std/assert";
import { makeTreeFolder, removeOrphanedTrees } from "./tree_folders.ts";

Deno.test("removeOrphanedTrees: removes trees of a killed server, and no others", async () => {
  const dir = await Deno.makeTempDir();
  try {
    const source = `import { makeTreeFolder } from ${JSON.stringify(import.meta.resolve("./tree_folders.ts"))};
      const { path } = await makeTreeFolder(${JSON.stringify(dir)});
      await Deno.mkdir(path + "/tree");
      await Deno.writeTextFile(path + "/tree/file", "left");
      console.log("ready");
      await new Promise(() => setInterval(() => {}, 1000));`;
    await Deno.writeTextFile(`${dir}/other.ts`, source);
    const killed = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", `${dir}/other.ts`],
      stdin: "null",
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const reader = killed.stdout.getReader();
    await reader.read();
    await using own = await makeTreeFolder(dir);
    await Deno.mkdir(`${dir}/tiphys-tree-new`);
    await Deno.mkdir(`${dir}/tiphys-tree-odd/lock`, { recursive: true });
    await Deno.mkdir(`${dir}/else`);
    const trees = () =>
      [...Deno.readDirSync(dir)].filter(({ isDirectory }) => isDirectory).map(({ name }) => name).sort();
    const all = trees();
    assertEquals(all.length, 5);

    await removeOrphanedTrees(dir, Date.now());
    assertEquals(trees(), all, "the other server runs");

    killed.kill("SIGKILL");
    await killed.status;
    await reader.cancel();
    await removeOrphanedTrees(dir, Date.now());
    const kept = ["else", "tiphys-tree-new", "tiphys-tree-odd", own.path.slice(dir.length + 1)].sort();
    assertEquals(trees(), kept);

    await removeOrphanedTrees(dir, Date.now() + 3_600_000);
    assertEquals(trees(), kept.filter((name) => name !== "tiphys-tree-new"));
  } finally {
    await Deno.remove(dir, { recursive: true });
  }
});
