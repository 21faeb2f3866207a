import { assert, assertEquals, assertRejects } from "@std/assert";
import { looksLikeTarGz } from "./mod.ts";
import {
  packTarGzAt as packTarGz,
  packTarZstAt as packTarZst,
  packZipAt as packZip,
  untarAt as untar,
  unzipAt as unzip,
} from "./testing/by_path.ts";

async function isTarGz(path: string): Promise<boolean> {
  return await looksLikeTarGz(await Deno.readFile(path));
}

/** The archive formats, which all have the same tests. */
const KINDS = [
  { kind: "tar.gz", pack: packTarGz, unpack: untar },
  { kind: "tar.zst", pack: packTarZst, unpack: untar },
  { kind: "zip", pack: packZip, unpack: unzip },
] as const;

interface Scratch extends AsyncDisposable {
  readonly path: string;
}

async function folder(): Promise<Scratch> {
  const path = await Deno.realPath(await Deno.makeTempDir());
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

/** Creates a folder with everything that an archive can contain. */
async function tree(path: string): Promise<void> {
  const deep = `${"deep/".repeat(30)}${"x".repeat(120)}`;
  await Deno.mkdir(`${path}/${"deep/".repeat(30)}`, { recursive: true });
  await Deno.mkdir(`${path}/hollow`);
  await Deno.writeTextFile(`${path}/${deep}`, "deep");
  await Deno.writeTextFile(`${path}/empty`, "");
  await Deno.writeTextFile(`${path}/bücher`, "umlaut");
  await Deno.writeTextFile(`${path}/run.sh`, "echo");
  await Deno.chmod(`${path}/run.sh`, 0o750);
  await Deno.writeFile(`${path}/large`, new Uint8Array(300_000).map((_, index) => index * 7));
  await Deno.symlink("run.sh", `${path}/link`);
  await Deno.symlink("../run.sh", `${path}/hollow/up`);
}

/** Lists the content of a folder, one line per entry: names with modes, checksums of files, targets of links. */
async function listing(path: string, below = ""): Promise<string[]> {
  const found: string[] = [];
  for (const { name } of [...Deno.readDirSync(`${path}${below}`)].sort((a, b) => a.name < b.name ? -1 : 1)) {
    const own = `${below}/${name}`;
    const info = await Deno.lstat(`${path}${own}`);
    const mode = (info.mode! & 0o777).toString(8);
    if (info.isSymlink) found.push(`${own} -> ${await Deno.readLink(`${path}${own}`)}`);
    else if (info.isDirectory) found.push(`${own}/ ${mode}`, ...await listing(path, own));
    else found.push(`${own} ${mode} ${new Uint32Array(await sum(`${path}${own}`)).join()}`);
  }
  return found;
}

async function sum(file: string): Promise<ArrayBuffer> {
  return await crypto.subtle.digest("SHA-256", await Deno.readFile(file));
}

for (const { kind, pack, unpack } of KINDS) {
  Deno.test(`${kind}: a folder is unpacked with its files, modes, links and long names`, async () => {
    await using scratch = await folder();
    await tree(`${scratch.path}/tree`);
    await pack(`${scratch.path}/tree`, "tree", `${scratch.path}/archive`);
    await Deno.mkdir(`${scratch.path}/out`);
    await unpack(`${scratch.path}/archive`, `${scratch.path}/out`);
    assertEquals(await listing(`${scratch.path}/out/tree`), await listing(`${scratch.path}/tree`));
  });

  Deno.test(`${kind}: a single file is unpacked under its original name`, async () => {
    await using scratch = await folder();
    await Deno.writeTextFile(`${scratch.path}/f`, "content");
    await pack(`${scratch.path}/f`, "name", `${scratch.path}/archive`);
    await unpack(`${scratch.path}/archive`, scratch.path);
    assertEquals(await Deno.readTextFile(`${scratch.path}/name`), "content");
  });

  for (const name of ["../outside", "/outside", "a/../../outside"]) {
    Deno.test(`${kind}: an entry named ${name} is rejected, and nothing is written there`, async () => {
      await using scratch = await folder();
      await Deno.writeTextFile(`${scratch.path}/f`, "content");
      // In a folder, because a zip of a single file may have an absolute name.
      await Deno.mkdir(`${scratch.path}/tree`);
      await Deno.rename(`${scratch.path}/f`, `${scratch.path}/tree/f`);
      await pack(`${scratch.path}/tree`, name, `${scratch.path}/archive`);
      await Deno.mkdir(`${scratch.path}/in/out`, { recursive: true });
      await assertRejects(
        () => unpack(`${scratch.path}/archive`, `${scratch.path}/in/out`),
        Error,
        "illegal file path",
      );
      assertEquals([...Deno.readDirSync(`${scratch.path}/in`)].length, 1);
    });
  }

  for (const target of ["../../outside", "/etc/passwd", "x/../../../outside"]) {
    Deno.test(`${kind}: a link to ${target} is rejected`, async () => {
      await using scratch = await folder();
      await Deno.mkdir(`${scratch.path}/tree`);
      await Deno.symlink(target, `${scratch.path}/tree/link`);
      await pack(`${scratch.path}/tree`, "tree", `${scratch.path}/archive`);
      await Deno.mkdir(`${scratch.path}/out`);
      await assertRejects(
        () => unpack(`${scratch.path}/archive`, `${scratch.path}/out`),
        Error,
        "illegal symlink target",
      );
    });
  }

  Deno.test(`${kind}: links that stay inside individually do not lead outside together`, async () => {
    await using scratch = await folder();
    await Deno.mkdir(`${scratch.path}/tree/a/b`, { recursive: true });
    await Deno.symlink("../..", `${scratch.path}/tree/a/b/1-up`);
    await Deno.symlink("1-up/../..", `${scratch.path}/tree/a/b/2-out`);
    await pack(`${scratch.path}/tree`, "tree", `${scratch.path}/archive`);
    await Deno.mkdir(`${scratch.path}/out`);
    await assertRejects(
      () => unpack(`${scratch.path}/archive`, `${scratch.path}/out`),
      Error,
      "illegal symlink target",
    );
  });

  Deno.test(`${kind}: a damaged archive is an error and does not leave an incomplete folder`, async () => {
    await using scratch = await folder();
    await Deno.writeFile(`${scratch.path}/f`, crypto.getRandomValues(new Uint8Array(60_000)));
    await pack(`${scratch.path}/f`, "f", `${scratch.path}/archive`);
    const bytes = await Deno.readFile(`${scratch.path}/archive`);
    await Deno.writeFile(`${scratch.path}/cut`, bytes.subarray(0, bytes.length / 2));
    await Deno.mkdir(`${scratch.path}/out`);
    await assertRejects(() => unpack(`${scratch.path}/cut`, `${scratch.path}/out`), Error);
  });
}

Deno.test("beginsLikeTarGz() distinguishes a compressed tar archive from a compressed file and from similar content", async () => {
  await using scratch = await folder();
  await Deno.writeTextFile(`${scratch.path}/f`, "content");
  await packTarGz(`${scratch.path}/f`, "f", `${scratch.path}/tgz`);
  const gzip = new Blob(["text ".repeat(500)]).stream().pipeThrough(new CompressionStream("gzip"));
  await Deno.writeFile(`${scratch.path}/gz`, gzip);
  await Deno.writeFile(`${scratch.path}/fake`, new Uint8Array([0x1f, 0x8b, 1, 2, 3]));
  const judged = await Promise.all(["tgz", "gz", "fake", "f"].map((name) => isTarGz(`${scratch.path}/${name}`)));
  assertEquals(judged, [true, false, false, false]);
});

Deno.test("untar() unpacks archives of tar, compressed or not, with hard links and long names", async () => {
  await using scratch = await folder();
  await tree(`${scratch.path}/tree`);
  await Deno.link(`${scratch.path}/tree/run.sh`, `${scratch.path}/tree/same`);
  for (const [flags, format] of [["-czf", "gnu"], ["-cf", "pax"]] as const) {
    await new Deno.Command("tar", { args: [flags, "archive", `--format=${format}`, "tree"], cwd: scratch.path })
      .output();
    const out = `${scratch.path}/${format}`;
    await Deno.mkdir(out);
    await untar(`${scratch.path}/archive`, out);
    assertEquals(await listing(`${out}/tree`), await listing(`${scratch.path}/tree`));
  }
});

Deno.test("tarGz() compresses with the given level", async () => {
  await using scratch = await folder();
  await Deno.writeTextFile(`${scratch.path}/f`, "the same again and again ".repeat(5000));
  const size = async (level: number) => {
    await packTarGz(`${scratch.path}/f`, "f", `${scratch.path}/archive`, level);
    return (await Deno.stat(`${scratch.path}/archive`)).size;
  };
  const [packed, fast, hard] = [await size(0), await size(1), await size(9)];
  assert(packed > 100_000 && fast < packed && hard <= fast, `${packed}, ${fast}, ${hard}`);
  await untar(`${scratch.path}/archive`, scratch.path);
});
