import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { Folder } from "./folder.ts";
import { UnpackLimitError } from "./limits.ts";
import { Tree, type TreeOptions } from "./tree.ts";
import { OutsideError } from "./walk.ts";

const LIMITS: TreeOptions["limits"] = { entries: 100_000, bytes: 1_000_000, ratio: 1_000, ratioFrom: 1_000_000 };

/** Runs a test with a tree in a dedicated folder. */
async function withTree(
  kind: TreeOptions["kind"],
  test: (tree: Tree, path: string) => void | Promise<void>,
): Promise<void> {
  const path = Deno.makeTempDirSync();
  try {
    using root = Folder.open(path);
    using tree = new Tree(root, { kind, limits: LIMITS });
    await test(tree, path);
  } finally {
    Deno.removeSync(path, { recursive: true });
  }
}

async function addFile(tree: Tree, name: string, text: string, mode = 0o644): Promise<void> {
  using place = tree.locate(name);
  await tree.file(place!, { mode, mtime: 1_000_000_000, content: [new TextEncoder().encode(text)] });
}

function addFolder(tree: Tree, name: string, mode: number): void {
  using place = tree.locate(name);
  tree.folder(place!, mode);
}

function modeOf(path: string): number {
  return Deno.statSync(path).mode! & 0o777;
}

Deno.test("Tree: sets the modes of read-only folders at the end, inner folders first", () =>
  withTree("artifact", (tree, path) => {
    addFolder(tree, "a", 0o555);
    addFolder(tree, "a/b", 0o500);
    addFolder(tree, "a/b/c", 0o755);
    assertEquals(modeOf(`${path}/a`) & 0o700, 0o700);
    tree.finish();
    assertEquals(["a", "a/b", "a/b/c"].map((name) => modeOf(`${path}/${name}`)), [0o555, 0o500, 0o755]);
  }));

Deno.test("Tree: a file has the mode, time and content of its entry regardless of the umask", async () => {
  const before = Deno.umask();
  try {
    for (const umask of [0, 0o022, 0o077, 0o777]) {
      Deno.umask(umask);
      for (const mode of [0, 0o400, 0o444, 0o600, 0o644, 0o666, 0o755, 0o777, 0o6755]) {
        await withTree("artifact", async (tree, path) => {
          await addFile(tree, "f", "content", mode);
          const { mode: has, mtime, size } = Deno.statSync(`${path}/f`);
          assertEquals([has! & 0o7777, mtime?.getTime(), size], [mode & 0o777, 1_000_000_000_000, 7]);
        });
      }
    }
  } finally {
    Deno.umask(before);
  }
});

Deno.test("Tree: a file replaces an earlier file or link and is never written through it", async () => {
  for (const mode of [0o644, 0o666]) {
    await withTree("artifact", async (tree, path) => {
      Deno.writeTextFileSync(`${path}/other`, "other");
      Deno.symlinkSync("other", `${path}/link`);
      Deno.linkSync(`${path}/other`, `${path}/hard`);
      for (const name of ["link", "hard", "f", "f"]) await addFile(tree, name, `new ${name}`, mode);
      assertEquals(Deno.readTextFileSync(`${path}/other`), "other");
      for (const name of ["link", "hard", "f"]) assertEquals(Deno.readTextFileSync(`${path}/${name}`), `new ${name}`);
      assertEquals(Deno.lstatSync(`${path}/link`).isFile, true);
      addFolder(tree, "folder", 0o755);
      await assertRejects(() => addFile(tree, "folder", "x", mode), OutsideError, "is a folder and something else");
    });
  }
});

Deno.test("Tree: forgets the modes of replaced folders", () =>
  withTree("image", (tree, path) => {
    addFolder(tree, "a", 0o555);
    addFolder(tree, "a/b", 0o500);
    using place = tree.locate("a");
    tree.link(place!, "elsewhere");
    tree.remove(tree.locate("a")!);
    addFolder(tree, "a", 0o755);
    addFolder(tree, "a/b/c", 0o755);
    tree.finish();
    assertEquals(["a", "a/b"].map((name) => modeOf(`${path}/${name}`)), [0o755, 0o755]);
  }));

Deno.test("Tree: limits the memory for links", () =>
  withTree("artifact", (tree) => {
    const folder = Array(15).fill("d".repeat(250)).join("/");
    const target = `${"x/../".repeat(800)}x`;
    assertThrows(
      () => {
        for (let number = 0; number < 2_000; number++) tree.link(tree.locate(`${folder}/${number}`)!, target);
      },
      UnpackLimitError,
      "too many links with .. after a name",
    );
  }));
