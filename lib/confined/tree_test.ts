import { assertEquals, assertThrows } from "@std/assert";
import { Folder } from "./folder.ts";
import { UnpackedTooMuchError } from "./limits.ts";
import { Tree, type TreeOptions } from "./tree.ts";

const LIMITS: TreeOptions["limits"] = { entries: 100_000, bytes: 1_000_000, ratio: 1_000, ratioFrom: 1_000_000 };

/** Runs a test with a tree in a folder of its own. */
function withTree(kind: TreeOptions["kind"], test: (tree: Tree, path: string) => void): void {
  const path = Deno.makeTempDirSync();
  try {
    using root = Folder.open(path);
    using tree = new Tree(root, { kind, limits: LIMITS });
    test(tree, path);
  } finally {
    Deno.removeSync(path, { recursive: true });
  }
}

function addFolder(tree: Tree, name: string, mode: number): void {
  using place = tree.place(name);
  tree.folder(place!, mode);
}

function modeOf(path: string): number {
  return Deno.statSync(path).mode! & 0o777;
}

Deno.test("Tree gives folders that forbid writing their modes at the end, the inner ones before the outer ones", () =>
  withTree("artifact", (tree, path) => {
    addFolder(tree, "a", 0o555);
    addFolder(tree, "a/b", 0o500);
    addFolder(tree, "a/b/c", 0o755);
    assertEquals(modeOf(`${path}/a`) & 0o700, 0o700);
    tree.finish();
    assertEquals(["a", "a/b", "a/b/c"].map((name) => modeOf(`${path}/${name}`)), [0o555, 0o500, 0o755]);
  }));

Deno.test("Tree forgets the modes of folders that something else took the place of", () =>
  withTree("image", (tree, path) => {
    addFolder(tree, "a", 0o555);
    addFolder(tree, "a/b", 0o500);
    using place = tree.place("a");
    tree.link(place!, "elsewhere");
    tree.remove(tree.place("a")!);
    addFolder(tree, "a", 0o755);
    addFolder(tree, "a/b/c", 0o755);
    tree.finish();
    assertEquals(["a", "a/b"].map((name) => modeOf(`${path}/${name}`)), [0o755, 0o755]);
  }));

Deno.test("Tree remembers no more of links than fits into memory", () =>
  withTree("artifact", (tree) => {
    const folder = Array(15).fill("d".repeat(250)).join("/");
    const target = `${"x/../".repeat(800)}x`;
    assertThrows(
      () => {
        for (let number = 0; number < 2_000; number++) tree.link(tree.place(`${folder}/${number}`)!, target);
      },
      UnpackedTooMuchError,
      "too many links that go up behind a name",
    );
  }));
