/**
 * Creates the layer of the executor's image with git and ssh: the programs of this machine, the libraries that they
 * need in addition to the runtime's, certificate authorities, and the keys of well-known hosts. Like Deno, they start
 * in any root file system that has the image's tree at `/argo-bin`.
 */
import { IMAGE_AUTHORITIES, IMAGE_BIN, IMAGE_GIT, IMAGE_NSS_WRAPPER } from "@tiphys/stores/git/programs";
import { PATH } from "@tiphys/base/constants";
import { copyLibraries, emptyFolder, LIBRARY_FOLDER } from "@tiphys/portable";
import { outputOf } from "./command.ts";
import { addCopyrights } from "./image_notices.ts";

/** A file of this machine for the layer, with its Debian package. */
interface LayerFile {
  readonly from: string;
  /** The path in a container. */
  readonly to: string;
  readonly package: string;
}

const PROGRAMS: readonly LayerFile[] = [
  { from: "/usr/bin/git", to: `${IMAGE_BIN}/git`, package: "git" },
  { from: "/usr/lib/git-core/git-remote-http", to: `${IMAGE_BIN}/git-remote-http`, package: "git" },
  { from: "/usr/bin/ssh", to: `${IMAGE_BIN}/ssh`, package: "openssh-client" },
];
const FILES: readonly LayerFile[] = [
  { from: "/etc/ssl/certs/ca-certificates.crt", to: IMAGE_AUTHORITIES, package: "ca-certificates" },
];
const USERS = { name: "libnss_wrapper.so", package: "libnss-wrapper" };

/** The Debian packages that the executor's image needs, each with a file that identifies it. */
export const IMAGE_PACKAGES: readonly { readonly name: string; readonly file: string }[] = [
  { name: "patchelf", file: "/usr/bin/patchelf" },
  ...[...PROGRAMS, ...FILES].map((layerFile) => ({ name: layerFile.package, file: layerFile.from })),
  { name: USERS.package, file: `${LIBRARY_FOLDER}/${USERS.name}` },
];

/**
 * Adds the layer on top of the runtime; `missing` are the packages that are not installed, without which there is no
 * layer.
 */
export async function layOutGit(root: string, runtime: string): Promise<{ readonly missing: readonly string[] }> {
  await emptyFolder(root);
  const missing = IMAGE_PACKAGES.filter(({ file }) => !exists(file)).map(({ name }) => name);
  if (missing.length > 0) return { missing: [...new Set(missing)] };
  const at = (path: string) => `${root}${path.slice(PATH.argoBin.length)}`;
  const libraries = `${at(IMAGE_GIT)}/lib`;
  for (const folder of [at(IMAGE_BIN), libraries]) await Deno.mkdir(folder, { recursive: true });
  const ofRuntime = [...Deno.readDirSync(`${runtime}/lib`)].map(({ name }) => name);
  for (const { from, to } of PROGRAMS) {
    await Deno.copyFile(from, at(to));
    const loader = await copyLibraries(from, libraries, ofRuntime);
    if (!loader) throw new Error(`Expected a loader among the libraries of ${from}, found none`);
    // The libraries' dependencies are searched there too, as RPATH (unlike RUNPATH) requires.
    const path = `${IMAGE_GIT}/lib:${PATH.argoBin}/lib`;
    const patch = ["--set-interpreter", `${PATH.argoBin}/lib/${loader}`, "--force-rpath", "--set-rpath", path];
    await outputOf(["patchelf", ...patch, at(to)]);
    await Deno.chmod(at(to), 0o755);
  }
  await Deno.symlink("git-remote-http", `${at(IMAGE_BIN)}/git-remote-https`);
  await Deno.copyFile(`${LIBRARY_FOLDER}/${USERS.name}`, at(IMAGE_NSS_WRAPPER));
  for (const { from, to } of FILES) await Deno.copyFile(from, at(to));
  await Deno.mkdir(`${root}/etc/ssh`, { recursive: true });
  await Deno.copyFile(new URL("ssh_known_hosts", import.meta.url), `${root}/etc/ssh/ssh_known_hosts`);
  const packages = [...PROGRAMS, ...FILES].map((layerFile) => layerFile.package);
  await addCopyrights(root, [...Deno.readDirSync(libraries)].map(({ name }) => `*/${name}`), packages);
  return { missing: [] };
}

function exists(file: string): boolean {
  try {
    return Deno.statSync(file).isFile;
  } catch {
    return false;
  }
}
