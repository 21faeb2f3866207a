/**
 * The common tools of this machine and their libraries, from which the stand-in image is made. Only programs and
 * libraries in system folders are used, so that the image contains no data of users.
 */

import { readLinking } from "./elf_file.ts";

/** A file or link of the image. Paths have no leading slash. */
export type ToolFile =
  | { readonly kind: "file"; readonly path: string; readonly from: string }
  | { readonly kind: "link"; readonly path: string; readonly target: string };

/** The names of the programs. The machine may lack any of them except the first. Text after `#` is a comment. */
export const TOOLS: readonly string[] = `
# Shells and multi-call programs
sh bash dash ash busybox coreutils
# GNU coreutils
arch b2sum base32 base64 basename basenc cat chgrp chmod chown cksum comm cp csplit cut date dd df dir
dircolors dirname du echo env expand expr factor false fmt fold groups head hostid id install join link ln
logname ls md5sum mkdir mkfifo mknod mktemp mv nice nl nohup nproc numfmt od paste pathchk pr printenv printf
ptx pwd readlink realpath rm rmdir seq sha1sum sha224sum sha256sum sha384sum sha512sum shred shuf sleep sort
split stat stdbuf stty sum sync tac tail tee test [ timeout touch tr true truncate tsort tty uname unexpand
uniq unlink users vdir wc who whoami yes
# Text
grep egrep fgrep sed awk gawk mawk find xargs diff cmp patch bc jq column
# Archives
tar gzip gunzip zcat bzip2 bunzip2 xz unxz zstd unzip zip
# Processes and the system
kill ps pgrep pidof which hostname getopt flock setsid uptime free rev tput
`.replace(/#.*/g, "").split(/\s+/).filter((name) => name !== "");

const PROGRAM_FOLDERS = [
  ...["/usr/bin", "/bin", "/usr/sbin", "/sbin", "/run/current-system/sw/bin", "/run/current-system/profile/bin"],
];

/** Real paths of system files: not in a home, and not in /usr/local. */
const SYSTEM = /^\/(usr\/(?!local\/)|bin\/|sbin\/|lib|nix\/store\/|gnu\/store\/)/;

/** Libraries that the C library loads at run time to look up users. Newer versions need none of them. */
const LOADED_LATER = ["libnss_files.so.2", "libnss_dns.so.2"];

/** Scripts are included if their interpreter is one of the tools. */
const SHEBANG = /^#!\s*\/(?:usr\/)?s?bin\/(\S+)/;
const MAX_SCRIPT_BYTES = 256 * 1024;

/**
 * Returns the files of the available tools.
 * @throws {Error} if this machine has no shell.
 */
export async function machineTools(): Promise<ToolFile[]> {
  const files = new Map<string, ToolFile>();
  const loaded = new Set<string>();
  for (const name of TOOLS) {
    const real = await findTool(name);
    if (real === undefined) {
      if (name === TOOLS[0]) throw new Error("No shell was found in the system folders of this machine");
      continue;
    }
    const bytes = await Deno.readFile(real);
    const parts = findDependencies(bytes, real);
    if (parts === undefined) continue;
    for (const part of parts) loaded.add(part);
    const own = `usr/bin/${real.slice(real.lastIndexOf("/") + 1)}`;
    // A multi-call program selects its function by the name that it is called with.
    if (own !== `usr/bin/${name}`) {
      files.set(`usr/bin/${name}`, { kind: "link", path: `usr/bin/${name}`, target: own.slice(8) });
    }
    files.set(own, { kind: "file", path: own, from: real });
  }
  for (const file of await collectLibraries(loaded)) files.set(file.path, file);
  return [...files.values()].toSorted((a, b) => a.path < b.path ? -1 : 1);
}

/** Returns the real path of a tool in the system folders; undefined if it is missing or not readable. */
async function findTool(name: string): Promise<string | undefined> {
  for (const folder of PROGRAM_FOLDERS) {
    try {
      const real = await Deno.realPath(`${folder}/${name}`);
      const { isFile, mode } = await Deno.stat(real);
      if (isFile && SYSTEM.test(real) && ((mode ?? 0) & 0o111) !== 0) {
        (await Deno.open(real)).close();
        return real;
      }
    } catch {
      continue; // not there, or not for us
    }
  }
  return undefined;
}

/**
 * Returns the loader and the libraries of a file, each library with its folders; undefined if the file could not run.
 */
function findDependencies(bytes: Uint8Array, real: string): string[] | undefined {
  const linking = readLinking(bytes);
  if (!linking) {
    const script = bytes.length <= MAX_SCRIPT_BYTES ? SHEBANG.exec(new TextDecoder().decode(bytes))?.[1] : undefined;
    return script !== undefined && TOOLS.includes(script) ? [] : undefined;
  }
  const { loader, needed, searched } = linking;
  const origin = real.slice(0, real.lastIndexOf("/"));
  const folders = searched.map((folder) => folder.replace(/\$ORIGIN|\$\{ORIGIN\}/g, origin)).join(":");
  return [...(loader === undefined ? [] : [loader]), ...needed.map((name) => `${name}\n${folders}`)];
}

/** Returns the files of loaders and libraries, including their own dependencies. */
async function collectLibraries(first: ReadonlySet<string>): Promise<ToolFile[]> {
  const files = new Map<string, ToolFile>();
  const waiting = [...first];
  const seen = new Set(waiting);
  const defaults = await libraryFolders();
  while (waiting.length > 0) {
    const [name = "", folders = ""] = waiting.shift()!.split("\n");
    const place = await libraryPath(name, folders.split(":").filter((folder) => folder !== ""), defaults);
    if (!place || files.has(place.path)) continue;
    files.set(place.path, { kind: "file", ...place });
    const more = findDependencies(await Deno.readFile(place.from), place.from) ?? [];
    if (/^libc\.so/.test(name)) more.push(...LOADED_LATER.map((late) => `${late}\n`));
    for (const next of more) {
      if (seen.has(next)) continue;
      seen.add(next);
      waiting.push(next);
    }
  }
  return [...files.values()];
}

/** Returns the file of a library, or of a loader by its path, on this machine, and its path in the image. */
async function libraryPath(
  name: string,
  own: readonly string[],
  { folders, home }: LibraryFolders,
): Promise<{ path: string; from: string } | undefined> {
  const places = name.startsWith("/") ? [name] : [...own, ...folders].map((folder) => `${folder}/${name}`);
  for (const place of places) {
    try {
      const from = await Deno.realPath(place);
      if (!SYSTEM.test(from)) continue;
      const folder = place.slice(0, place.lastIndexOf("/"));
      const isFound = name.startsWith("/") || own.includes(folder) || isDefaultFolder(folder);
      return { path: pathInImage(isFound ? place : `${home}/${name}`), from };
    } catch {
      continue;
    }
  }
  return undefined;
}

interface LibraryFolders {
  readonly folders: readonly string[];
  /** The folder in the image for libraries that are outside of the default folders of loaders. */
  readonly home: string;
}

const TRIPLET = `${Deno.build.arch}-linux-gnu`;
const DEFAULTS = [`/lib/${TRIPLET}`, `/usr/lib/${TRIPLET}`, "/lib64", "/usr/lib64", "/lib", "/usr/lib"];

function isDefaultFolder(folder: string): boolean {
  return DEFAULTS.includes(folder);
}

/** Returns the default library folders, and those that the configuration of this machine adds. */
async function libraryFolders(): Promise<LibraryFolders> {
  const added: string[] = [];
  for (const file of ["/etc/ld.so.conf", ...await filesIn("/etc/ld.so.conf.d")]) {
    const text = await Deno.readTextFile(file).catch(() => "");
    added.push(...text.split("\n").map((line) => line.trim()).filter((line) => line.startsWith("/")));
  }
  const present = await Promise.all(
    DEFAULTS.map((folder) => Deno.stat(`${folder}/libc.so.6`).then(() => true, () => false)),
  );
  return { folders: [...DEFAULTS, ...added], home: DEFAULTS.find((_, index) => present[index]) ?? "/usr/lib" };
}

async function filesIn(folder: string): Promise<string[]> {
  try {
    return (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => `${folder}/${name}`).sort();
  } catch {
    return [];
  }
}

/** Returns the path in the image, in which system folders are below usr/ and /bin, /sbin, /lib and /lib64 are links. */
function pathInImage(path: string): string {
  return path.replace(/^\/(bin|sbin|lib|lib64)\//, "/usr/$1/").slice(1);
}
