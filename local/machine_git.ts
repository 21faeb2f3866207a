/**
 * The programs git and ssh of this machine, for the executor of the embedded cluster: they start in any image, with their
 * own loader and libraries, as the executor does.
 */
import { BROUGHT, BROUGHT_BIN, find } from "../lib/artifact/git/programs.ts";
import { PATH } from "../lib/constants.ts";
import { canMakePrograms, launcher } from "../lib/elf/mod.ts";
import { copyLibraries } from "../lib/portable/mod.ts";

/** The files in which machines keep the certificate authorities that they trust. */
const AUTHORITIES = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"];

/** The library that tells ssh who it is, where no file of an image does. */
const USERS = ["/usr/lib/x86_64-linux-gnu/libnss_wrapper.so", "/usr/lib64/libnss_wrapper.so"];

/** The files of this machine that are laid out, each by its name there. */
export interface MachineGit {
  readonly programs: Readonly<Record<"git", string> & Partial<Record<"git-remote-http" | "ssh", string>>>;
  readonly users: string | undefined;
  readonly authorities: string | undefined;
}

/** What a machine has of them; undefined where it has no git, or no program can be made of it. */
export async function findMachineGit(searchPath: string): Promise<MachineGit | undefined> {
  const git = find("git", searchPath);
  if (!git || !canMakePrograms()) return undefined;
  const { stdout } = await new Deno.Command(git, { args: ["--exec-path"], stderr: "null" }).output();
  const remote = find("git-remote-http", new TextDecoder().decode(stdout).trim());
  const ssh = find("ssh", searchPath);
  return {
    programs: { git, ...(remote ? { "git-remote-http": remote } : {}), ...(ssh ? { ssh } : {}) },
    users: await firstOf(USERS),
    authorities: await firstOf(AUTHORITIES),
  };
}

/** A text that is another one when another file is found, or a file of them has changed. */
export async function stateOf(found: MachineGit | undefined): Promise<string> {
  if (!found) return "none";
  const files = [...Object.values(found.programs), found.users, found.authorities].filter((file) => file !== undefined);
  const states = await Promise.all(files.map(async (file) => {
    const { size, mtime } = await Deno.stat(file);
    return `${file} ${size} ${mtime?.getTime()}\n`;
  }));
  return states.join("");
}

/**
 * Lays out what was found below `root`, where the executor's loader and libraries are in `lib`. Where git is no plain
 * program, nothing is laid out.
 */
export async function layOutMachineGit(root: string, { programs, users, authorities }: MachineGit): Promise<void> {
  const at = (path: string) => `${root}${path.slice(PATH.argoBin.length)}`;
  const [bin, lib, own] = [at(BROUGHT_BIN), `${at(BROUGHT)}/lib`, `${at(BROUGHT)}/programs`];
  for (const folder of [bin, lib, own]) await Deno.mkdir(folder, { recursive: true });
  const shared = [...Deno.readDirSync(`${root}/lib`)].map(({ name }) => name);
  for (const [name, from] of Object.entries(programs)) {
    const loader = await copyLibraries(from, lib, shared);
    if (loader === undefined) {
      if (name !== "git") continue;
      return await Deno.remove(at(BROUGHT), { recursive: true });
    }
    await Deno.copyFile(from, `${own}/${name}`);
    const libraries = `${BROUGHT}/lib:${PATH.argoBin}/lib`;
    const args = [name, "--library-path", libraries, `${BROUGHT}/programs/${name}`];
    const program = launcher({ program: `${PATH.argoBin}/lib/${loader}`, args, variables: [] });
    await Deno.writeFile(`${bin}/${name}`, program, { mode: 0o755 });
    if (name === "git-remote-http") await Deno.symlink(name, `${bin}/git-remote-https`);
  }
  if (users) await Deno.copyFile(users, `${lib}/libnss_wrapper.so`);
  if (authorities) await Deno.copyFile(authorities, `${at(BROUGHT)}/ca-certificates.crt`);
}

async function firstOf(files: readonly string[]): Promise<string | undefined> {
  for (const file of files) {
    if (await Deno.stat(file).then(({ isFile }) => isFile, () => false)) return file;
  }
  return undefined;
}
