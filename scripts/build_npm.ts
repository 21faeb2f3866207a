/**
 * The npm package `tiphys`: a launcher, the command line and the executor as bundles, and Deno as its one dependency, in
 * the version that builds it.
 */
import { Buffer } from "node:buffer";
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { pack } from "tar-stream";
import { filePath } from "../lib/file_path.ts";
import { bundle, emptyFolder } from "../lib/portable/mod.ts";
import { VERSION } from "../lib/version.ts";
import { bundlePage } from "../server/page/bundle_page.ts";

const ROOT = filePath(import.meta.resolve("../"));
/** The oldest Node.js whose maintenance had not ended; the launcher asks nothing newer of it. */
const NODE = ">=20";
/** npm gives all files of a package one time: so the same sources make the same bytes. */
const MTIME = new Date("1985-10-26T08:15:00Z");

/** The package's description of itself. */
export function packageJson(): object {
  return {
    name: "tiphys",
    version: VERSION,
    description: "Runs Argo Workflows: on this machine with nothing installed, or on a cluster",
    license: "Apache-2.0",
    bin: { tiphys: "bin.cjs" },
    files: ["bin.cjs", "lib"],
    engines: { node: NODE },
    os: ["linux", "darwin"],
    dependencies: { deno: Deno.version.deno },
  };
}

/** Lays out the package's files in a folder. */
export async function layOutNpmPackage(folder: string): Promise<void> {
  await emptyFolder(folder);
  await bundle({ root: ROOT, entry: "cli/main.ts", outDir: `${folder}/lib/tiphys` });
  await addThread(folder, "controller/workflow/lane/thread.ts", "thread.js");
  await addThread(folder, "lib/text_worker/text_thread.ts", "text_thread.js");
  await bundlePage(ROOT, `${folder}/lib/tiphys/page`, { withBrotli: true });
  await bundle({ root: ROOT, entry: "executor/main.ts", outDir: `${folder}/lib/argoexec`, apart: "commands.ts" });
  await Deno.copyFile(`${ROOT}cli/npm/launcher.cjs`, `${folder}/bin.cjs`);
  await Deno.copyFile(`${ROOT}cli/npm/README.md`, `${folder}/README.md`);
  await Deno.copyFile(`${ROOT}LICENSE`, `${folder}/LICENSE`);
  await Deno.writeTextFile(`${folder}/package.json`, `${JSON.stringify(packageJson(), null, 2)}\n`);
}

/** Adds the program of a thread, which is loaded by its name: no import leads to it. */
async function addThread(folder: string, entry: string, file: string): Promise<void> {
  const thread = `${folder}/thread`;
  await bundle({ root: ROOT, entry, outDir: thread });
  for await (const { name } of Deno.readDir(thread)) {
    await Deno.rename(`${thread}/${name}`, `${folder}/lib/tiphys/${name === "main.js" ? file : name}`);
  }
  await Deno.remove(thread);
}

/** Makes `tiphys-VERSION.tgz` in a folder, as `npm pack` would, and answers its path; npm is not needed for it. */
export async function buildNpmPackage(folder: string): Promise<string> {
  await Deno.mkdir(folder, { recursive: true });
  const laidOut = `${folder}/npm`;
  await layOutNpmPackage(laidOut);
  const tarball = `${folder}/tiphys-${VERSION}.tgz`;
  const archive = pack();
  for (const path of (await filesOf(laidOut)).sort()) {
    const header = { name: `package/${path}`, mode: path === "bin.cjs" ? 0o755 : 0o644, mtime: MTIME };
    archive.entry(header, Buffer.from(await Deno.readFile(`${laidOut}/${path}`)));
  }
  archive.finalize();
  await pipeline(archive, createGzip({ level: 9 }), createWriteStream(tarball));
  return tarball;
}

async function filesOf(folder: string, below = ""): Promise<string[]> {
  const paths: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(`${folder}/${below}`)) {
    if (isDirectory) paths.push(...await filesOf(folder, `${below}${name}/`));
    else paths.push(`${below}${name}`);
  }
  return paths;
}
