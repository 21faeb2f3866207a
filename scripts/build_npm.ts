/**
 * The npm package `tiphys`: launchers, the command line and the executor as bundles, the library for tests and lint,
 * and Deno as its only dependency, in the version that builds it.
 */
import { filePath } from "@tiphys/base/file_path";
import { bundle, emptyFolder, joinFiles, minify } from "@tiphys/portable";
import { VERSION } from "@tiphys/base/version";
import { bundlePage } from "../server/page/bundle_page.ts";
import { outputOf } from "./command.ts";
import { LEGAL_FILES } from "./image_notices.ts";
import { filesBelow, writeTarball } from "./tarball.ts";

const ROOT = filePath(import.meta.resolve("../"));
/** The oldest supported Node.js; the launcher and the library use nothing newer. */
const NODE = ">=20";

/** The modules of the library, as source: each exports a part of `mod.ts`. Their types are in `cli/npm/NAME.d.ts`. */
const LIBRARY: Readonly<Record<string, string>> = {
  simulate: 'export { simulate, SimulationError } from "./library.js";\n',
  lint: 'import { validate } from "./library.js";\nexport const { lintFile, lintFiles } = validate;\n',
};

/** The package's description of itself. The address of its repository is known where a release is built. */
export function packageJson(repository = Deno.env.get("TIPHYS_REPOSITORY")): object {
  return {
    name: "tiphys",
    version: VERSION,
    description: "Runs Argo Workflows manifests on your machine, without a cluster",
    keywords: ["argo", "argo-workflows", "kubernetes", "workflow", "workflow-engine"],
    license: "Apache-2.0",
    ...repository ? { repository: { type: "git", url: `git+${repository}.git` }, homepage: repository } : {},
    bin: { tiphys: "bin.sh" },
    exports: Object.fromEntries(
      Object.keys(LIBRARY).map((name) => [
        `./${name}`,
        { types: `./lib/library/${name}.d.ts`, default: `./lib/library/${name}.js` },
      ]),
    ),
    files: ["bin.sh", "bin.cjs", "lib", "THIRD_PARTY_NOTICES.txt"],
    engines: { node: NODE },
    os: ["linux", "darwin"],
    dependencies: { deno: Deno.version.deno },
  };
}

/** Lays out the package's files in a folder, with a copy of the documentation site in the folder `docs`. */
export async function layOutNpmPackage(folder: string, docs?: string): Promise<void> {
  await emptyFolder(folder);
  await bundle({ root: ROOT, entry: "cli/main.ts", outDir: `${folder}/lib/tiphys` });
  await addThread(folder, "controller/workflow/lane/thread.ts", "thread.js");
  await addThread(folder, "lib/language/text_worker/text_thread.ts", "text_thread.js");
  await bundlePage(ROOT, `${folder}/lib/tiphys/page`, { withBrotli: true });
  if (docs !== undefined) await outputOf(["cp", "-r", `${docs}/.`, `${folder}/lib/tiphys/docs`]);
  await bundle({ root: ROOT, entry: "executor/main.ts", outDir: `${folder}/lib/argoexec`, apart: "commands.ts" });
  for (const kind of ["sh", "cjs"]) await Deno.copyFile(`${ROOT}cli/npm/launcher.${kind}`, `${folder}/bin.${kind}`);
  await Deno.copyFile(`${ROOT}cli/npm/README.md`, `${folder}/README.md`);
  await layOutLibrary(`${folder}/lib/library`);
  for (const name of LEGAL_FILES) await Deno.copyFile(`${ROOT}${name}`, `${folder}/${name}`);
  await Deno.writeTextFile(`${folder}/package.json`, `${JSON.stringify(packageJson(), null, 2)}\n`);
}

/** Adds the program of a thread, which is loaded by its name: no import refers to it. */
async function addThread(folder: string, entry: string, file: string): Promise<void> {
  const thread = `${folder}/thread`;
  await bundle({ root: ROOT, entry, outDir: thread });
  for await (const { name } of Deno.readDir(thread)) {
    await Deno.rename(`${thread}/${name}`, `${folder}/lib/tiphys/${name === "main.js" ? file : name}`);
  }
  await Deno.remove(thread);
}

/** Length of most lines of the library, in characters. */
const LINE = 200;

/** Lays out the library: one bundle that Node, Deno and browsers run, and a module with types for each export. */
async function layOutLibrary(folder: string): Promise<void> {
  await emptyFolder(folder);
  await joinFiles(ROOT, ["--platform=browser", "--format=esm", `--output=${folder}/library.js`, "mod.ts"]);
  await minify(ROOT, `${folder}/library.js`, LINE);
  await Deno.writeTextFile(`${folder}/package.json`, '{"type":"module"}\n');
  for (const [name, text] of Object.entries(LIBRARY)) {
    await Deno.writeTextFile(`${folder}/${name}.js`, text);
    await Deno.copyFile(`${ROOT}cli/npm/${name}.d.ts`, `${folder}/${name}.d.ts`);
  }
}

/** Makes `tiphys-VERSION.tgz` in a folder, as `npm pack` would, and returns its path; npm is not needed for it. */
export async function buildNpmPackage(folder: string, docs?: string): Promise<string> {
  await Deno.mkdir(folder, { recursive: true });
  const laidOut = `${folder}/npm`;
  await layOutNpmPackage(laidOut, docs);
  const tarball = `${folder}/tiphys-${VERSION}.tgz`;
  await writeTarball(tarball, await filesBelow(laidOut), { prefix: "package", programs: ["bin.sh", "bin.cjs"] });
  return tarball;
}
