/**
 * Creates the files of a release in `build/`: the documentation site, the images of executor, controller and server as
 * OCI archives, the npm package of the command line, the Helm chart, the bill of materials, their checksums, and the
 * programs as single binaries if the base of `deno compile` can be downloaded.
 */
import { fieldsOf } from "@tiphys/base/fields_of";
import { fieldsOfJson } from "@tiphys/base/fields_of_json";
import { filePath } from "@tiphys/base/file_path";
import { VERSION } from "@tiphys/base/version";
import { bundlePage } from "../server/page/bundle_page.ts";
import { buildExecutor, layOutProgram } from "./build_executor.ts";
import { buildManifests, type PinnedImage } from "./build_manifests.ts";
import { buildNpmPackage } from "./build_npm.ts";
import { imagePackages } from "./image_packages.ts";
import { CONTROLLER_PROGRAM, SERVER_PROGRAM } from "./image_programs.ts";
import { hasProgram, outputOf, runCommand } from "./command.ts";
import { buildSite } from "./docs_site/build_site.ts";
import { type Compression, packImageLayout, writeImageLayout } from "./oci_layout.ts";
import { sbomText } from "./sbom.ts";
import { describeInstalled, shippedPackages } from "./shipped_packages.ts";

/** An image as an archive. */
export interface BuiltImage extends PinnedImage {
  readonly archive: string;
  readonly bytes: number;
}

const ROOT = filePath(import.meta.resolve("../"));

/** Takes a minute and is 20 % smaller than gzip. */
const SMALL: Compression = { kind: "zstd", level: 19 };

/**
 * Creates all images in `folder`, the executor's first. Unchanged layers come from its cache. `docs` is the folder of
 * the documentation site for the server's image.
 */
export async function buildImages(
  folder: string,
  compression = SMALL,
  docs?: string,
): Promise<[executor: BuiltImage, ...programs: BuiltImage[]]> {
  // File modes are part of an image and must not depend on the user who builds it.
  Deno.umask(0o022);
  await Deno.mkdir(folder, { recursive: true });
  const roots = await buildExecutor(`${folder}/roots`, (line) => console.error(line));
  const programs: BuiltImage[] = [];
  for (const [name, { entry, parts, ...flags }] of Object.entries(PROGRAMS)) {
    const root = `${folder}/roots/${name}`;
    await layOutProgram(root, name, entry, { ...parts, docs }, flags);
    programs.push(await image(folder, { name, roots: [roots.runtime, root], user: "8737", compression }));
  }
  // The layer that changes most often is the top one.
  const layers = [roots.runtime, ...roots.git === undefined ? [] : [roots.git], roots.program];
  const executor = await image(folder, { name: "argoexec", roots: layers, compression });
  return [executor, ...programs];
}

/** The programs with their own images, in addition to the executor. */
const PROGRAMS = { "workflow-controller": CONTROLLER_PROGRAM, "argo-server": SERVER_PROGRAM };

interface Image {
  readonly name: string;
  readonly roots: readonly string[];
  readonly user?: string;
  readonly compression: Compression;
}

async function image(folder: string, { name, ...image }: Image): Promise<BuiltImage> {
  const reference = `docker.io/tiphys/${name}:v${VERSION}`;
  const layout = `${folder}/${name}.oci`;
  await Deno.remove(layout, { recursive: true }).catch(() => {});
  const digest = await writeImageLayout(layout, {
    ...image,
    reference,
    entrypoint: [`/argo-bin/bin/${name}`],
    layerCache: `${folder}/layers`,
  });
  const archive = `${folder}/${name}.tar`;
  await packImageLayout(layout, archive);
  await Deno.remove(layout, { recursive: true });
  return { reference, digest, archive, bytes: (await Deno.stat(archive)).size };
}

/** The programs of threads, which are not imported. */
const THREADS = ["controller/workflow/lane/thread.ts", "lib/language/text_worker/text_thread.ts"];
/** The folder in which a single binary finds the page's files: see `pageFolder`. */
const PAGE = "build/ui";
const BINARIES = [
  { name: "argoexec", entry: "executor/main.ts", with: [] },
  { name: "workflow-controller", entry: "controller/main.ts", with: THREADS },
  { name: "tiphys", entry: "cli/main.ts", with: [...THREADS, PAGE] },
];

/**
 * Creates the single binaries, or returns why it could not: `deno compile` downloads a base that is not part of Deno.
 */
async function compileBinaries(folder: string): Promise<string[]> {
  const probe = await Deno.makeTempDir({ prefix: "tiphys-compile-" });
  try {
    await Deno.writeTextFile(`${probe}/probe.ts`, "");
    const limit = ["timeout", "30"];
    const tried = await runCommand([
      ...limit,
      Deno.execPath(),
      "compile",
      "--quiet",
      "-o",
      `${probe}/probe`,
      `${probe}/probe.ts`,
    ]);
    if (tried.code !== 0) {
      return ["single binaries: none, the base of deno compile cannot be had here (set DENORT_BIN to a denort binary)"];
    }
    await bundlePage(ROOT, ROOT + PAGE, { withBrotli: true });
    const lines: string[] = [];
    for (const { name, entry, with: others } of BINARIES) {
      const included = others.map((path) => `--include=${path}`);
      await outputOf([Deno.execPath(), "compile", "--quiet", "-A", ...included, "-o", `${folder}/${name}`, entry], {
        cwd: ROOT,
      });
      lines.push(`${folder}/${name}  ${megabytes((await Deno.stat(`${folder}/${name}`)).size)}`);
    }
    return lines;
  } finally {
    await Deno.remove(probe, { recursive: true });
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

/** Builds the documentation site and returns its folder; undefined without npm, which downloads VitePress. */
async function buildDocs(folder: string): Promise<string | undefined> {
  if (!await hasProgram("npm")) {
    console.log("documentation site: not built, it needs Node.js and npm");
    return undefined;
  }
  const docs = `${folder}/docs`;
  await buildSite(docs);
  console.log(`${docs}  documentation site`);
  return docs;
}

/** Writes the bill of materials into a folder, and returns its path. */
async function writeSbom(folder: string): Promise<string> {
  const lock = fieldsOfJson(await Deno.readTextFile(`${ROOT}deno.lock`));
  const file = `${folder}/tiphys-${VERSION}.cdx.json`;
  const packages = await describeInstalled(await shippedPackages());
  await Deno.writeTextFile(file, sbomText(packages, fieldsOf(lock.npm), await imagePackages(`${folder}/roots`)));
  return file;
}

/** Writes `SHA256SUMS` for the files of a folder, in the format of `sha256sum --check`. */
async function writeChecksums(folder: string, files: readonly string[]): Promise<void> {
  const names = files.map((file) => file.slice(folder.length + 1));
  await Deno.writeTextFile(`${folder}/SHA256SUMS`, await outputOf(["sha256sum", "--", ...names], { cwd: folder }));
}

if (import.meta.main) {
  const folder = `${ROOT}build`;
  const docs = await buildDocs(folder);
  const images = await buildImages(folder, SMALL, docs);
  for (const { reference, archive, bytes } of images) {
    console.log(`${archive}  ${megabytes(bytes)}  ${reference}  (portable form: Deno and a bundle)`);
  }
  const tarball = await buildNpmPackage(folder, docs);
  console.log(`${tarball}  ${megabytes((await Deno.stat(tarball)).size)}  npm package, Deno not counted`);
  const chart = await buildManifests(folder, images);
  console.log(`${chart}  Helm chart\n${folder}/manifests  manifests, images by digest`);
  const sbom = await writeSbom(folder);
  await writeChecksums(folder, [...images.map(({ archive }) => archive), tarball, chart, sbom]);
  console.log(`${sbom}  bill of materials\n${folder}/SHA256SUMS`);
  for (const line of await compileBinaries(folder)) console.log(line);
}
