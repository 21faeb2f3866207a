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

/**
 * Lays out what this machine has of them below `root`, where the executor's loader and libraries are in `lib`. Where it has
 * no git, or one that is no plain program, nothing is laid out.
 */
export async function layOutMachineGit(root: string, searchPath: string): Promise<void> {
  const git = find("git", searchPath);
  if (!git || !canMakePrograms()) return;
  const { stdout } = await new Deno.Command(git, { args: ["--exec-path"], stderr: "null" }).output();
  const inside = new TextDecoder().decode(stdout).trim();
  const programs = Object.entries({
    git,
    "git-remote-http": find("git-remote-http", inside),
    ssh: find("ssh", searchPath),
  });
  const at = (path: string) => `${root}${path.slice(PATH.argoBin.length)}`;
  const [bin, lib, own] = [at(BROUGHT_BIN), `${at(BROUGHT)}/lib`, `${at(BROUGHT)}/programs`];
  for (const folder of [bin, lib, own]) await Deno.mkdir(folder, { recursive: true });
  const shared = [...Deno.readDirSync(`${root}/lib`)].map(({ name }) => name);
  for (const [name, from] of programs) {
    if (from === undefined) continue;
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
  }
  await Deno.symlink("git-remote-http", `${bin}/git-remote-https`);
  await copyFirst(USERS, `${lib}/libnss_wrapper.so`);
  await copyFirst(AUTHORITIES, `${at(BROUGHT)}/ca-certificates.crt`);
}

async function copyFirst(from: readonly string[], to: string): Promise<void> {
  for (const file of from) {
    if (await Deno.copyFile(file, to).then(() => true, () => false)) return;
  }
}
