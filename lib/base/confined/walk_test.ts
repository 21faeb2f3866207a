import { assert, assertEquals, assertThrows } from "@std/assert";
import {
  Folder,
  NotAFileError,
  openFile,
  OutsideError,
  readBounded,
  resolveEntry,
  type ResolveOptions,
  TooLargeError,
} from "./mod.ts";

/** Runs a test with a folder that has links and files of many kinds, next to a secret. */
async function withFolder(look: (root: Folder, path: string) => Promise<void> | void): Promise<void> {
  const base = await Deno.realPath(await Deno.makeTempDir());
  const path = `${base}/root`;
  await Deno.mkdir(`${path}/a/b`, { recursive: true });
  await Deno.writeTextFile(`${base}/secret`, "secret");
  await Deno.writeTextFile(`${path}/secret`, "harmless");
  await Deno.writeTextFile(`${path}/a/file`, "text");
  await Deno.symlink("/secret", `${path}/absolute`);
  await Deno.symlink("../../../../secret", `${path}/a/b/up`);
  await Deno.symlink("a", `${path}/inside`);
  await Deno.symlink("loop", `${path}/loop`);
  await Deno.symlink("/not/there", `${path}/dangling`);
  await new Deno.Command("mkfifo", { args: [`${path}/pipe`] }).output();
  try {
    using root = Folder.open(path);
    await look(root, path);
  } finally {
    await Deno.remove(base, { recursive: true });
  }
}

const FOLLOW: ResolveOptions = { links: "follow", last: true };

function read(root: Folder, path: string, options: ResolveOptions): string {
  using found = resolveEntry(root, path, options);
  using held = found.hold();
  if (!held) return "nothing";
  if (held.info().isDirectory) return `folder ${found.parts.join("/")}`;
  using file = openFile(held, path);
  return new TextDecoder().decode(readBounded(file, 100, path));
}

Deno.test("walk: follows links as if the folder were the root of the file system", () =>
  withFolder((root) => {
    const ways = {
      "a/file": "text",
      "/a//./file": "text",
      "inside/file": "text",
      "inside/b/../file": "text",
      "absolute": "harmless",
      "a/b/up": "harmless",
      "../../../secret": "harmless",
      "inside/../../secret": "harmless",
      "inside": "folder a",
      "a/b/..": "folder a",
      "": "folder ",
      "..": "folder ",
      "not/there": "nothing",
      "not/there/../../a/file": "text",
      "dangling": "nothing",
      "dangling/../../secret": "harmless",
    };
    for (const [path, there] of Object.entries(ways)) assertEquals(read(root, path, FOLLOW), there, path);
    assertThrows(() => read(root, "loop", FOLLOW), OutsideError, "too many links");
    assertThrows(() => read(root, "loop/x", FOLLOW), OutsideError, "too many links");
    assertThrows(() => read(root, "a/file/x", FOLLOW), OutsideError, "is not a folder");
    assertThrows(() => read(root, "a/file\0", FOLLOW), TypeError, "Expected the name of an entry");
  }));

Deno.test("walk: with `refuse`, rejects links and ..", () =>
  withFolder((root) => {
    assertEquals(read(root, "a/file", { links: "refuse", last: true }), "text");
    for (const path of ["inside/file", "absolute", "a/b/up", "dangling", "a/../secret", "loop"]) {
      assertThrows(() => read(root, path, { links: "refuse", last: true }), OutsideError);
    }
    using last = resolveEntry(root, "absolute", { links: "refuse" });
    assert(last.parent?.stat("absolute")?.isSymlink);
  }));

Deno.test("walk: creates missing folders, also behind a broken link, and never outside", () =>
  withFolder((root, path) => {
    using made = resolveEntry(root, "dangling/x/y", { ...FOLLOW, make: 0o750 });
    assertEquals(made.parts, ["not", "there", "x", "y"]);
    assertEquals(Deno.lstatSync(`${path}/not/there/x`).mode! & 0o777, 0o750);
    assertThrows(() => resolveEntry(root, "a/file/x", { ...FOLLOW, make: 0o755 }), OutsideError);
    using replaced = resolveEntry(root, "a/file/x", { ...FOLLOW, make: 0o755, replace: true });
    assertEquals(replaced.hold(), undefined);
    assert(Deno.lstatSync(`${path}/a/file`).isDirectory);
  }));

Deno.test("Handle: refers to the same file after another one replaces it", () =>
  withFolder((root, path) => {
    using found = resolveEntry(root, "a/b/new", FOLLOW);
    using held = root.openEntry("secret")!;
    Deno.renameSync(`${path}/a/b`, `${path}/moved`);
    Deno.symlinkSync("/etc", `${path}/a/b`);
    Deno.renameSync(`${path}/secret`, `${path}/old`);
    Deno.symlinkSync("/etc/passwd", `${path}/secret`);
    found.parent!.create("new")[Symbol.dispose]();
    assertEquals([...Deno.readDirSync(`${path}/moved`)].map(({ name }) => name).sort(), ["new", "up"]);
    assertEquals(Deno.readTextFileSync(held.path), "harmless");
  }));

Deno.test("Folder: a folder that is repeatedly swapped for a link is never followed outside", () =>
  withFolder(async (root, path) => {
    const swapper = new Deno.Command("sh", {
      args: ["-c", `echo begun; until [ -e stop ]; do mv a moved; ln -s / a; rm a; mv moved a; done`],
      cwd: path,
      stdout: "piped",
      stderr: "null",
    }).spawn();
    const reader = swapper.stdout.getReader();
    try {
      await reader.read(); // It has begun.
      Deno.mkdirSync(`${path}/etc`);
      const seen = new Map<string, number>();
      for (let round = 0; round < 3000; round++) {
        let answer: string;
        try {
          answer = read(root, "a/etc/passwd", { links: "refuse", last: true });
        } catch (error) {
          assert(error instanceof OutsideError, String(error));
          answer = "refused";
        }
        seen.set(answer, (seen.get(answer) ?? 0) + 1);
      }
      assertEquals([...seen.keys()].filter((answer) => answer !== "refused" && answer !== "nothing"), []);
    } finally {
      Deno.writeTextFileSync(`${path}/stop`, "");
      await reader.cancel();
      await swapper.status;
    }
  }));

Deno.test("Handle: opens a pipe without a writer without blocking, and openFile rejects it", () =>
  withFolder((root) => {
    using pipe = root.openEntry("pipe")!;
    assertThrows(
      () => openFile(pipe, "the log"),
      NotAFileError,
      "Expected a file, got a folder, pipe, socket, device or link: the log",
    );
  }));

Deno.test("Folder: rejects a path as the name of an entry", () =>
  withFolder((root) => {
    for (const name of ["", ".", "..", "a/b", "/", "a\0"]) assertThrows(() => root.pathOf(name), TypeError);
  }));

Deno.test("Folder: create and createAndOpen create only new files and follow no link", () =>
  withFolder((root, path) => {
    for (const name of ["secret", "dangling", "absolute", "a"]) {
      assertThrows(() => root.create(name), Deno.errors.AlreadyExists);
      assertThrows(() => root.createAndOpen(name), Deno.errors.AlreadyExists);
    }
    assertThrows(() => root.createAndOpen("a/b"), TypeError);
    root.createAndOpen("open", 0o400).close();
    assertEquals(Deno.statSync(`${path}/open`).mode! & 0o777, 0o400);
    using made = root.create("new", 0o600);
    Deno.writeTextFileSync(made.path, "written");
    assertEquals(Deno.readTextFileSync(`${path}/new`), "written");
  }));

Deno.test("Folder: ensureFolder opens an existing folder and follows no link", () =>
  withFolder((root) => {
    using made = root.ensureFolder("made", 0o700);
    using again = root.ensureFolder("made");
    const inode = ({ path }: Folder) => Deno.statSync(path).ino;
    assertEquals(inode(again), inode(made));
    for (const name of ["inside", "dangling"]) assertThrows(() => root.ensureFolder(name), Deno.errors.NotADirectory);
  }));

Deno.test("Folder: remove deletes a folder with its content, and only the link of a link", () =>
  withFolder((root, path) => {
    for (const name of ["inside", "a", "not there"]) root.remove(name);
    assertEquals([root.stat("inside"), root.stat("a")], [undefined, undefined]);
    assertEquals(Deno.readTextFileSync(`${path}/secret`), "harmless");
  }));

Deno.test("readBounded: reads up to its limit and rejects larger files, also sparse ones", () =>
  withFolder((root, path) => {
    Deno.writeTextFileSync(`${path}/ten`, "0123456789");
    const bytes = (name: string, limit: number) => {
      using held = root.openEntry(name)!;
      using file = openFile(held, name);
      return readBounded(file, limit, name).length;
    };
    assertEquals([bytes("ten", 10), bytes("ten", 1000), bytes("secret", 8)], [10, 10, 8]);
    const error = assertThrows(() => bytes("ten", 9), TooLargeError);
    assertEquals([error.message, error.size, error.limit], [
      "ten has 10 bytes, more than the 9 that are allowed",
      10,
      9,
    ]);
    Deno.truncateSync(`${path}/ten`, 2 ** 40);
    assertThrows(() => bytes("ten", 4096), TooLargeError, "ten has 1099511627776 bytes");
    // Files of the kernel say that they are empty.
    using kernel = Deno.openSync("/proc/self/status");
    assert(readBounded(kernel, 100_000, "status").length > 500);
  }));
