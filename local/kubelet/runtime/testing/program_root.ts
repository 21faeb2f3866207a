/** A root folder with programs of the machine and their libraries: an image that needs no registry. */

const PROGRAMS = [
  ...[
    "sh",
    "cat",
    "env",
    "id",
    "ls",
    "sleep",
    "hostname",
    "setsid",
    "grep",
    "true",
    "rm",
    "kill",
    "umount",
    "mkdir",
    "ln",
    "mv",
    "cp",
    "chmod",
  ],
];

/** Fills a folder with programs of a small system, and the users `root` and `app` (1000, in group `app`, 1001). */
export async function makeProgramRoot(root: string): Promise<void> {
  await Deno.mkdir(`${root}/bin`, { recursive: true });
  await Deno.mkdir(`${root}/etc`);
  await Deno.mkdir(`${root}/tmp`);
  await Deno.chmod(`${root}/tmp`, 0o1777);
  await Deno.writeTextFile(`${root}/etc/passwd`, "root:x:0:0::/root:/bin/sh\napp:x:1000:1001::/srv/app:/bin/sh\n");
  await Deno.writeTextFile(`${root}/etc/group`, "root:x:0:\napp:x:1001:\n");
  const places = await Promise.all(PROGRAMS.map(placeOf));
  for (const [index, place] of places.entries()) await Deno.copyFile(place, `${root}/bin/${PROGRAMS[index]}`);
  for (const library of await librariesOf(places)) {
    await Deno.mkdir(root + library.slice(0, library.lastIndexOf("/")), { recursive: true });
    await Deno.copyFile(library, root + library);
  }
}

async function placeOf(program: string): Promise<string> {
  return (await output("sh", [
    "-c",
    `command -v ${program} | grep / || ls /bin/${program} /usr/bin/${program} | head -1`,
  ]))
    .trim();
}

/** The paths of libraries, including the loader, as used by the programs. */
async function librariesOf(programs: readonly string[]): Promise<Set<string>> {
  return new Set((await output("ldd", programs)).match(/(?<=^\t(?:.* => )?)\/[^\s:]+/gm) ?? []);
}

async function output(command: string, args: readonly string[]): Promise<string> {
  const { stdout } = await new Deno.Command(command, { args: [...args], stderr: "null" }).output();
  return new TextDecoder().decode(stdout);
}
