/** The root of a Debian image for workflows under test. */
import { outputOf } from "../../scripts/command.ts";

/** The packages of Debian that workflows under test find in their image. */
const PACKAGES = [
  "busybox-static",
  "ca-certificates",
  "curl",
  "diffutils",
  "gawk",
  "git",
  "jq",
  "libpython3-stdlib",
  "nodejs",
  "procps",
  "python3-minimal",
];

const LEFT_OUT = ["/usr/share/doc/*", "/usr/share/man/*", "/usr/share/locale/*", "/usr/share/info/*"];

/**
 * Makes the root of a small Debian with `PACKAGES`, of the release and from the package sources of this machine. Takes
 * root.
 */
export async function makeDebianRoot(root: string): Promise<void> {
  const release = /^VERSION_CODENAME=(.*)$/m.exec(await Deno.readTextFile("/etc/os-release"))?.[1];
  if (release === undefined) throw new Error("Test images are made of Debian packages, and this machine is no Debian");
  await outputOf([
    "mmdebstrap",
    "--mode=root",
    "--variant=minbase",
    "--format=directory",
    `--include=${PACKAGES.join(",")}`,
    ...LEFT_OUT.map((pattern) => `--dpkgopt=path-exclude=${pattern}`),
    release,
    root,
    "-",
  ], { input: await packageSources() });
  await Deno.symlink("python3", `${root}/usr/bin/python`);
  await linkApplet(root, "nslookup");
}

/** Makes the root of an image with BusyBox alone, every applet a link to it: no C library is in it. */
export async function makeBusyboxRoot(root: string): Promise<void> {
  await Deno.mkdir(`${root}/bin`, { recursive: true });
  for (const folder of ["tmp", "etc", "root", "usr/bin"]) await Deno.mkdir(`${root}/${folder}`, { recursive: true });
  await Deno.copyFile("/bin/busybox", `${root}/bin/busybox`);
  for (const applet of (await outputOf(["/bin/busybox", "--list"])).trim().split("\n")) {
    if (applet !== "busybox") await Deno.symlink("busybox", `${root}/bin/${applet}`);
  }
  await Deno.symlink("/bin/env", `${root}/usr/bin/env`);
}

/** Makes a root with one file, a statically linked program: no shell, no library, no other folder. */
export async function makeSingleProgramRoot(root: string): Promise<void> {
  await Deno.mkdir(root, { recursive: true });
  await Deno.copyFile("/bin/busybox", `${root}/busybox`);
}

/**
 * Makes a root with a program that is linked against musl, and musl's loader: another C library than the executor's,
 * and no shell.
 */
export async function makeMuslRoot(root: string): Promise<void> {
  for (const folder of ["bin", "lib"]) await Deno.mkdir(`${root}/${folder}`, { recursive: true });
  const source = new URL("programs/copy.c", import.meta.url).pathname;
  await outputOf(["musl-gcc", "-o", `${root}/bin/copy`, source]);
  for (const { name } of Deno.readDirSync("/lib")) {
    if (name.startsWith("ld-musl-")) await Deno.copyFile(`/lib/${name}`, `${root}/lib/${name}`);
  }
}

async function linkApplet(root: string, applet: string): Promise<void> {
  await Deno.symlink("/bin/busybox", `${root}/usr/local/bin/${applet}`);
}

/** Reads the package sources of this machine: the text of `debian.sources` or `sources.list`. */
async function packageSources(): Promise<string> {
  const files = ["/etc/apt/sources.list.d/debian.sources", "/etc/apt/sources.list"];
  for (const file of files) {
    try {
      const text = await Deno.readTextFile(file);
      if (/^(Types|deb )/m.test(text)) return text;
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  throw new Error(`Found no package sources in ${files.join(" or ")}`);
}
