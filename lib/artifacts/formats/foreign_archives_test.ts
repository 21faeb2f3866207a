/** Compatibility of archives with GNU tar, Python, zip and unzip, in both directions. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { hasProgram } from "../../../scripts/command.ts";
import { needs } from "../../base/testing/needs.ts";
import { packTarGzAt, packZipAt, TEST_LIMITS, untarAt, unzipAt } from "./testing/by_path.ts";
import type { Packable } from "./packable.ts";
import { zipOf } from "./zip.ts";
import { directoryOf } from "./zip_directory.ts";
import { listingOf } from "./testing/raw_archives.ts";

interface Scratch extends AsyncDisposable {
  readonly path: string;
  run(program: string, ...args: string[]): Promise<string>;
}

async function scratch(): Promise<Scratch> {
  const path = await Deno.realPath(await Deno.makeTempDir());
  await Deno.mkdir(`${path}/out`);
  return {
    path,
    async run(program, ...args) {
      const { success, stdout, stderr } = await new Deno.Command(program, { args, cwd: path }).output();
      const text = new TextDecoder();
      if (!success) throw new Error(`${program} ${args.join(" ")}: ${text.decode(stderr)}`);
      return text.decode(stdout);
    },
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}

const TAR = await hasProgram("tar");
const PYTHON = await hasProgram("python3");
const BSDTAR = await hasProgram("bsdtar");
const ZIP = await hasProgram("zip") && await hasProgram("unzip");

/** Creates a tree that most archive formats can store. */
async function tree(path: string): Promise<void> {
  await Deno.mkdir(`${path}/tree/sub/hollow`, { recursive: true });
  await Deno.writeTextFile(`${path}/tree/text`, "text");
  await Deno.writeTextFile(`${path}/tree/empty`, "");
  await Deno.writeTextFile(`${path}/tree/sub/bücher 中文`, "unicode");
  await Deno.writeTextFile(`${path}/tree/run`, "echo");
  await Deno.writeFile(`${path}/tree/large`, new Uint8Array(3_000_000).map((_, index) => (index * 7919) >> 5));
  await Deno.symlink("text", `${path}/tree/link`);
  await Deno.chmod(`${path}/tree/run`, 0o755);
  // An even second, because zip stores times with a resolution of two seconds.
  for (const name of ["text", "empty", "sub/bücher 中文", "run", "large"]) {
    await Deno.utime(`${path}/tree/${name}`, 1_700_000_000, 1_700_000_000);
  }
}

for (const format of ["v7", "oldgnu", "gnu", "ustar", "posix"]) {
  Deno.test({
    ...needs("tar", TAR, `untar() reads what GNU tar writes in its format ${format}, compressed or not`),
    fn: async () => {
      await using folder = await scratch();
      await tree(folder.path);
      for (const flags of ["-cf", "-czf"]) {
        await folder.run("tar", flags, "archive", `--format=${format}`, "tree");
        await Deno.remove(`${folder.path}/out`, { recursive: true });
        await Deno.mkdir(`${folder.path}/out`);
        await untarAt(`${folder.path}/archive`, `${folder.path}/out`);
        assertEquals(listingOf(`${folder.path}/out/tree`), listingOf(`${folder.path}/tree`));
      }
    },
  });
}

for (const format of ["ustar", "pax", "gnutar"]) {
  Deno.test({
    ...needs("bsdtar", BSDTAR, `untar() reads what bsdtar writes in its format ${format}, compressed or not`),
    fn: async () => {
      await using folder = await scratch();
      await tree(folder.path);
      for (const flags of ["-cf", "-czf"]) {
        await folder.run("bsdtar", flags, "archive", `--format=${format}`, "tree");
        await Deno.remove(`${folder.path}/out`, { recursive: true });
        await Deno.mkdir(`${folder.path}/out`);
        await untarAt(`${folder.path}/archive`, `${folder.path}/out`);
        assertEquals(listingOf(`${folder.path}/out/tree`), listingOf(`${folder.path}/tree`));
      }
    },
  });
}

Deno.test({
  ...needs("bsdtar", BSDTAR, "tarGz() and zip() write archives that bsdtar reads"),
  fn: async () => {
    await using folder = await scratch();
    await tree(folder.path);
    await packTarGzAt(`${folder.path}/tree`, "tree", `${folder.path}/archive.tgz`);
    await packZipAt(`${folder.path}/tree`, "tree", `${folder.path}/archive.zip`);
    for (const archive of ["archive.tgz", "archive.zip"]) {
      await Deno.remove(`${folder.path}/out`, { recursive: true });
      await Deno.mkdir(`${folder.path}/out`);
      await folder.run("bsdtar", "-xpf", archive, "-C", "out");
      assertEquals(listingOf(`${folder.path}/out/tree`), listingOf(`${folder.path}/tree`));
    }
  },
});

for (
  const [what, args] of [
    ["GNU's own", ["--format=gnu"]],
    ["0.0", ["--format=posix", "--sparse-version=0.0"]],
    ["0.1", ["--format=posix", "--sparse-version=0.1"]],
    ["1.0", ["--format=posix", "--sparse-version=1.0"]],
  ] as const
) {
  Deno.test({
    ...needs("tar", TAR, `untar() restores sparse files of the kind ${what} without allocating the holes`),
    fn: async () => {
      await using folder = await scratch();
      await Deno.mkdir(`${folder.path}/tree`);
      // More pieces than one header can store.
      using file = await Deno.open(`${folder.path}/tree/holes`, { write: true, create: true });
      for (let piece = 1; piece <= 40; piece++) {
        await file.seek(piece * 1_000_000, Deno.SeekMode.Start);
        await file.write(new TextEncoder().encode(`piece ${piece}`));
      }
      await file.truncate(200_000_000);
      await Deno.writeTextFile(`${folder.path}/tree/z-after`, "after");
      await folder.run("tar", "-cSf", "archive", ...args, "tree");
      assert((await Deno.stat(`${folder.path}/archive`)).size < 2_000_000);
      await untarAt(`${folder.path}/archive`, `${folder.path}/out`, {
        entries: 9,
        bytes: 2_000_000,
        ratio: 9,
        ratioFrom: 9,
      });
      await folder.run("cmp", "tree/holes", "out/tree/holes");
      assertEquals(await Deno.readTextFile(`${folder.path}/out/tree/z-after`), "after");
      assert((await Deno.stat(`${folder.path}/out/tree/holes`)).blocks! * 512 < 20_000_000);
    },
  });
}

Deno.test({
  ...needs(
    "python3",
    PYTHON,
    "untar() reads what Python writes in each of its formats, with times before 1970 and hard links",
  ),
  fn: async () => {
    await using folder = await scratch();
    await tree(folder.path);
    await Deno.utime(`${folder.path}/tree/text`, -86_400, -86_400);
    await Deno.link(`${folder.path}/tree/run`, `${folder.path}/tree/same`);
    for (const format of ["GNU_FORMAT", "PAX_FORMAT"]) {
      const script =
        `import tarfile; t = tarfile.open("archive", "w:gz", format=tarfile.${format}); t.add("tree"); t.close()`;
      await folder.run("python3", "-c", script);
      await Deno.remove(`${folder.path}/out`, { recursive: true });
      await Deno.mkdir(`${folder.path}/out`);
      await untarAt(`${folder.path}/archive`, `${folder.path}/out`);
      assertEquals(listingOf(`${folder.path}/out/tree`), listingOf(`${folder.path}/tree`));
      assertEquals((await Deno.stat(`${folder.path}/out/tree/text`)).mtime?.getTime(), -86_400_000);
    }
  },
});

Deno.test({
  ...needs(
    "tar",
    TAR,
    "tarGz() writes archives that GNU tar reads: long names, times before 1970, modes without set-uid",
  ),
  fn: async () => {
    await using folder = await scratch();
    const long = `${"d".repeat(120)}/${"f".repeat(200)}`;
    await Deno.mkdir(`${folder.path}/tree/${"d".repeat(120)}`, { recursive: true });
    await Deno.writeTextFile(`${folder.path}/tree/${long}`, "long");
    await Deno.utime(`${folder.path}/tree/${long}`, -5, -5);
    for (const [name, mode] of [["a", 0o755], ["b", 0o400], ["c", 0o111], ["d", 0o4755]] as const) {
      await Deno.writeTextFile(`${folder.path}/tree/${name}`, name);
      await Deno.chmod(`${folder.path}/tree/${name}`, mode);
    }
    await packTarGzAt(`${folder.path}/tree`, "tree", `${folder.path}/archive`);
    await folder.run("tar", "-xzpf", "archive", "-C", "out");
    const modeOf = (name: string) => Deno.statSync(`${folder.path}/out/tree/${name}`).mode! & 0o7777;
    assertEquals(["a", "b", "c", "d"].map(modeOf), [0o755, 0o400, 0o111, 0o755]);
    assertEquals(Deno.statSync(`${folder.path}/out/tree/${long}`).mtime?.getTime(), -5000);
    assertMatch(await folder.run("tar", "-tvzf", "archive"), /root\/root|0\/0/);
  },
});

Deno.test({
  ...needs(
    "tar",
    TAR,
    "untar() reads several members of gzip, warns of trailing bytes that are not zero, and rejects a truncated one",
  ),
  fn: async () => {
    await using folder = await scratch();
    await tree(folder.path);
    await folder.run(
      "sh",
      "-c",
      "tar -cf all tree && split -b 700000 all part. && for p in part.*; do gzip $p; done && cat part.*.gz > whole",
    );
    const whole = await Deno.readFile(`${folder.path}/whole`);
    await untarAt(`${folder.path}/whole`, `${folder.path}/out`);
    assertEquals(listingOf(`${folder.path}/out/tree`), listingOf(`${folder.path}/tree`));
    for (const [more, warned] of [["\0".repeat(700), 0], ["and a signature", 1]] as const) {
      await Deno.writeFile(`${folder.path}/more`, new Uint8Array([...whole, ...new TextEncoder().encode(more)]));
      await Deno.mkdir(`${folder.path}/more-${warned}`);
      const warnings: string[] = [];
      await untarAt(`${folder.path}/more`, `${folder.path}/more-${warned}`, TEST_LIMITS, (line) => warnings.push(line));
      assertEquals(listingOf(`${folder.path}/more-${warned}/tree`), listingOf(`${folder.path}/tree`));
      assertEquals(warnings.length, warned, warnings.join());
    }
    // Other bytes in the middle could replace the missing ones.
    const parts = ["part.aa.gz", "part.ab.gz"].map((name) => Deno.readFileSync(`${folder.path}/${name}`));
    await Deno.writeFile(
      `${folder.path}/mixed`,
      new Uint8Array([...parts[0]!, ...new TextEncoder().encode("?"), ...parts[1]!]),
    );
    await Deno.mkdir(`${folder.path}/mixed-out`);
    await assertRejects(() => untarAt(`${folder.path}/mixed`, `${folder.path}/mixed-out`), Error, "other bytes follow");
    for (let cut = 65_536; cut < whole.length; cut += 65_536) {
      await Deno.writeFile(`${folder.path}/cut`, whole.subarray(0, cut));
      await Deno.mkdir(`${folder.path}/cut-${cut}`);
      await assertRejects(
        () => untarAt(`${folder.path}/cut`, `${folder.path}/cut-${cut}`),
        Error,
        "the archive is damaged",
      );
    }
  },
});

// The header of the sparse file is the last block of one read.
for (const [format, atOnce] of [["--format=gnu", 1536], ["--format=posix", 3584]] as const) {
  Deno.test({
    ...needs(
      "tar",
      TAR,
      `untar() reads sparse files of ${format} in which each block replaces the previous one`,
    ),
    fn: async () => {
      await using folder = await scratch();
      {
        using file = await Deno.open(`${folder.path}/holes`, { write: true, create: true, mode: 0o640 });
        for (let piece = 0; piece < 120; piece++) {
          file.seekSync(piece * 65_536, Deno.SeekMode.Start);
          file.writeSync(new Uint8Array(4096).fill(1 + piece));
        }
        file.truncateSync(9_000_000);
      }
      await Deno.chmod(`${folder.path}/holes`, 0o640);
      await Deno.writeTextFile(`${folder.path}/first`, "a file in front");
      await folder.run("tar", "--sparse", format, "-cf", "archive", "first", "holes");
      await untarAt(`${folder.path}/archive`, `${folder.path}/out`, TEST_LIMITS, undefined, atOnce);
      assertEquals(Deno.readFileSync(`${folder.path}/out/holes`), Deno.readFileSync(`${folder.path}/holes`));
      assertEquals(Deno.statSync(`${folder.path}/out/holes`).mode! & 0o777, 0o640);
    },
  });
}

Deno.test("tarGz() warns about pipes and sockets, copies hard links, and packs 200 MB of zeros into little space", async () => {
  await using folder = await scratch();
  await Deno.mkdir(`${folder.path}/tree`);
  await folder.run("mkfifo", "tree/pipe");
  await Deno.writeTextFile(`${folder.path}/tree/a`, "one");
  await Deno.link(`${folder.path}/tree/a`, `${folder.path}/tree/b`);
  await Deno.writeTextFile(`${folder.path}/tree/holes`, "");
  await Deno.truncate(`${folder.path}/tree/holes`, 200 << 20);
  const warnings: string[] = [];
  await packTarGzAt(`${folder.path}/tree`, "tree", `${folder.path}/archive`, undefined, (line) => warnings.push(line));
  assertEquals(warnings, ["tree/pipe is a pipe, socket or device, which is not packed"]);
  assert((await Deno.stat(`${folder.path}/archive`)).size < 2_000_000);
  assertEquals(await folder.run("tar", "-xzOf", "archive", "tree/b"), "one");
});

Deno.test({
  ...needs(
    "python3",
    PYTHON,
    "archives and folders: a name that is not UTF-8 is reported, and nothing is silently omitted",
  ),
  fn: async () => {
    await using folder = await scratch();
    await Deno.mkdir(`${folder.path}/tree`);
    await folder.run("python3", "-c", "open(b'tree/\\xff\\xfe', 'w').close()");
    await assertRejects(
      () => packTarGzAt(`${folder.path}/tree`, "tree", `${folder.path}/a`),
      Error,
      "is not UTF-8, and cannot",
    );
    await folder.run("tar", "-czf", "archive", "tree");
    await assertRejects(() => untarAt(`${folder.path}/archive`, `${folder.path}/out`), Error, "is not UTF-8");
  },
});

Deno.test({
  ...needs("zip and unzip", ZIP, "zip() and unzip() agree with zip and unzip: modes, links, empty folders, unicode"),
  fn: async () => {
    await using folder = await scratch();
    await tree(folder.path);
    await packZipAt(`${folder.path}/tree`, "tree", `${folder.path}/ours.zip`);
    await folder.run("unzip", "-q", "ours.zip", "-d", "out");
    assertEquals(listingOf(`${folder.path}/out/tree`), listingOf(`${folder.path}/tree`));
    await folder.run("zip", "-qry", "theirs.zip", "tree");
    await Deno.mkdir(`${folder.path}/again`);
    await unzipAt(`${folder.path}/theirs.zip`, `${folder.path}/again`);
    assertEquals(listingOf(`${folder.path}/again/tree`), listingOf(`${folder.path}/tree`));
  },
});

Deno.test({
  ...needs("python3", PYTHON, "zip() writes 70,000 entries that Python and unzip() read"),
  fn: async () => {
    await using folder = await scratch();
    const info = await Deno.lstat(folder.path);
    const links = Array.from({ length: 70_000 }, (_, index) => `${index}`)
      .map((name): Packable => ({ kind: "link", name, info, target: "elsewhere" }));
    await Deno.writeFile(`${folder.path}/many.zip`, await zipOf(links));
    const count = `import zipfile; z = zipfile.ZipFile("many.zip"); print(len(z.namelist()), z.testzip())`;
    assertEquals(await folder.run("python3", "-c", count), "70000 None\n");
    using file = await Deno.open(`${folder.path}/many.zip`);
    const names = [...directoryOf(file, (await file.stat()).size).entries()].map(({ name }) => name);
    assertEquals([names.length, new Set(names).size], [70_000, 70_000]);
  },
});

Deno.test({
  ...needs("python3", PYTHON, "zip() packs a file of more than 4 GiB so that Python and unzip() read it"),
  fn: async () => {
    await using folder = await scratch();
    await Deno.writeTextFile(`${folder.path}/huge`, "");
    using file = await Deno.open(`${folder.path}/huge`, { write: true });
    await file.truncate(2 ** 32 + 1000);
    await file.seek(-3, Deno.SeekMode.End);
    await file.write(new TextEncoder().encode("end"));
    await packZipAt(`${folder.path}/huge`, "huge", `${folder.path}/huge.zip`);
    const size = `import zipfile; z = zipfile.ZipFile("huge.zip"); i = z.infolist()[0]; print(i.file_size)`;
    assertEquals(await folder.run("python3", "-c", size), `${2 ** 32 + 1000}\n`);
    const limits = { entries: 9, bytes: 1000, ratio: 200, ratioFrom: 2 ** 40 };
    const message = await unzipAt(`${folder.path}/huge.zip`, `${folder.path}/out`, limits).then(() => "", String);
    // Its directory was read, including the size. Writing four gigabytes would not prove more.
    assertMatch(message, /more than 1000 bytes/);
  },
});

Deno.test({
  ...needs(
    "python3",
    PYTHON,
    "unzip() rejects encrypted entries, other compression methods and wrong checksums by name",
  ),
  fn: async () => {
    await using folder = await scratch();
    const make = (method: string) =>
      folder.run(
        "python3",
        "-c",
        `import zipfile; z = zipfile.ZipFile("a.zip", "w", zipfile.${method}); z.writestr("x", "abc" * 100); z.writestr("y", ""); z.close()`,
      );
    await make("ZIP_BZIP2");
    await assertRejects(
      () => unzipAt(`${folder.path}/a.zip`, `${folder.path}/out`),
      Error,
      "x uses zip compression method 12",
    );
    await make("ZIP_STORED");
    const bytes = await Deno.readFile(`${folder.path}/a.zip`);
    bytes[40] = bytes[40]! ^ 1;
    await Deno.writeFile(`${folder.path}/a.zip`, bytes);
    await assertRejects(
      () => unzipAt(`${folder.path}/a.zip`, `${folder.path}/out`),
      Error,
      "the check sum of x is wrong",
    );
  },
});
