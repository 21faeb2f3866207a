/**
 * The programs git and ssh of this machine, for the executor of the embedded cluster. Like the executor, they start in
 * any image with their own loader and libraries.
 */
import { findProgram, IMAGE_BIN, IMAGE_GIT } from "@tiphys/stores/git/programs";
import { PATH } from "@tiphys/base/constants";
import { canMakePrograms, launcher } from "@tiphys/portable/elf";
import { copyLibraries, LIBRARY_FOLDER } from "@tiphys/portable";

/** Files with the certificate authorities that a machine trusts. */
const AUTHORITIES = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem"];

/** The library that provides ssh with its user if the image has no such user. */
const USERS = [LIBRARY_FOLDER, "/usr/lib64"].map((folder) => `${folder}/libnss_wrapper.so`);

/** The files of this machine to copy. */
export interface MachineGit {
  readonly programs: Readonly<Record<"git", string> & Partial<Record<"git-remote-http" | "ssh", string>>>;
  readonly users: string | undefined;
  readonly authorities: string | undefined;
}

/** Finds the files; undefined without a git that starts, or if the processor is not supported. */
export async function findMachineGit(
  searchPath: string,
  onNotice: (text: string) => void = () => {},
): Promise<MachineGit | undefined> {
  const git = findProgram("git", searchPath);
  if (!git || !canMakePrograms()) return undefined;
  const folder = await gitExecPath(git).catch((error) => onNotice(withoutGitText(error)));
  if (folder === undefined) return undefined;
  const remote = findProgram("git-remote-http", folder);
  const ssh = findProgram("ssh", searchPath);
  return {
    programs: { git, ...(remote ? { "git-remote-http": remote } : {}), ...(ssh ? { ssh } : {}) },
    users: await firstExisting(USERS),
    authorities: await firstExisting(AUTHORITIES),
  };
}

/** Returns a text that changes if other files are found or a file has changed. */
export async function machineGitKey(git: MachineGit | undefined): Promise<string> {
  if (!git) return "none";
  const files = [...Object.values(git.programs), git.users, git.authorities].filter((file) => file !== undefined);
  const states = await Promise.all(files.map(async (file) => {
    const state = await Deno.stat(file).catch(() => undefined);
    return `${file} ${state?.size} ${state?.mode} ${state?.mtime?.getTime()}\n`;
  }));
  return states.join("");
}

/**
 * Copies the files below `root`, where the executor's loader and libraries are in `lib`. If git is not an ELF program
 * or a file cannot be copied, nothing is copied, and the executor has no git: few workflows need it.
 */
export async function layOutMachineGit(
  root: string,
  git: MachineGit,
  onNotice: (text: string) => void = () => {},
): Promise<void> {
  const at = (path: string) => `${root}${path.slice(PATH.argoBin.length)}`;
  try {
    if (await copyProgram(git, root, at)) return;
  } catch (error) {
    onNotice(withoutGitText(error));
  }
  await Deno.remove(at(IMAGE_GIT), { recursive: true }).catch(() => {});
}

/** Returns the folder in which git searches its own programs. */
async function gitExecPath(git: string): Promise<string> {
  const { stdout } = await new Deno.Command(git, { args: ["--exec-path"], stderr: "null" }).output();
  return new TextDecoder().decode(stdout).trim();
}

function withoutGitText(error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return `Pods cannot use git of this machine: ${reason}`;
}

/** Returns false if git is not an ELF program. */
async function copyProgram(
  { programs, users, authorities }: MachineGit,
  root: string,
  at: (path: string) => string,
): Promise<boolean> {
  const [bin, lib, own] = [at(IMAGE_BIN), `${at(IMAGE_GIT)}/lib`, `${at(IMAGE_GIT)}/programs`];
  for (const folder of [bin, lib, own]) await Deno.mkdir(folder, { recursive: true });
  const shared = [...Deno.readDirSync(`${root}/lib`)].map(({ name }) => name);
  for (const [name, from] of Object.entries(programs)) {
    const loader = await copyLibraries(from, lib, shared);
    if (loader === undefined) {
      if (name !== "git") continue;
      return false;
    }
    await Deno.copyFile(from, `${own}/${name}`);
    const libraries = `${IMAGE_GIT}/lib:${PATH.argoBin}/lib`;
    const args = [name, "--library-path", libraries, `${IMAGE_GIT}/programs/${name}`];
    const program = launcher({ program: `${PATH.argoBin}/lib/${loader}`, args, variables: [] });
    await Deno.writeFile(`${bin}/${name}`, program, { mode: 0o755 });
    if (name === "git-remote-http") await Deno.symlink(name, `${bin}/git-remote-https`);
  }
  if (users) await Deno.copyFile(users, `${lib}/libnss_wrapper.so`);
  if (authorities) await Deno.copyFile(authorities, `${at(IMAGE_GIT)}/ca-certificates.crt`);
  return true;
}

async function firstExisting(files: readonly string[]): Promise<string | undefined> {
  for (const file of files) {
    if (await Deno.stat(file).then(({ isFile }) => isFile, () => false)) return file;
  }
  return undefined;
}
