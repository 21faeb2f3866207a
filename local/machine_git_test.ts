import { assertEquals, assertStringIncludes } from "@std/assert";
import { gitServer } from "../lib/stores/git/testing/git_server.ts";
import { findProgram } from "@tiphys/stores/git/programs";
import { canMakePrograms } from "@tiphys/portable/elf";
import { copyLibraries } from "@tiphys/portable";
import { needs } from "../lib/base/testing/needs.ts";
import { findMachineGit, layOutMachineGit } from "./machine_git.ts";

const path = Deno.env.get("PATH") ?? "";
const canEnter = await new Deno.Command("unshare", { args: ["--mount", "true"], stderr: "null" }).output()
  .then(({ success }) => success, () => false);

Deno.test({
  name: "git of this machine fetches over http in a root file system that has nothing else",
  ignore: !canEnter,
  async fn() {
    await using server = await gitServer();
    const [commit] = await server.repository("r.git", [{ a: "x" }]);
    const root = await Deno.makeTempDir();
    await Deno.mkdir(`${root}/argo-bin/lib`, { recursive: true });
    await Deno.mkdir(`${root}/dev`);
    await copyLibraries(Deno.execPath(), `${root}/argo-bin/lib`);
    await layOutMachineGit(`${root}/argo-bin`, (await findMachineGit(path))!);
    const { stdout, stderr } = await new Deno.Command("unshare", {
      args: ["--mount", "sh", "-c", 'mount --bind /dev "$0/dev" && exec unshare --root="$0" "$@"', root].concat(
        ["/argo-bin/git/bin/git", "ls-remote", `${server.url}/r.git`, "refs/heads/main"],
      ),
      clearEnv: true,
      env: { PATH: path, GIT_EXEC_PATH: "/argo-bin/git/bin" },
    }).output();
    const text = new TextDecoder().decode(stdout) || new TextDecoder().decode(stderr);
    assertStringIncludes(text, commit!);
    await Deno.remove(root, { recursive: true });
  },
});

Deno.test("findMachineGit: undefined on a machine without git", async () => {
  assertEquals(await findMachineGit("/nowhere"), undefined);
});

Deno.test({
  ...needs(
    "Linux on a supported processor",
    canMakePrograms(),
    "layOutMachineGit: a git without HTTP support is copied without git-remote-http",
  ),
  async fn() {
    const root = await Deno.makeTempDir();
    await Deno.mkdir(`${root}/lib`);
    await Deno.mkdir(`${root}/programs`);
    // A program that does not print the folder of its programs.
    await Deno.copyFile(findProgram("true", path)!, `${root}/programs/git`);
    await layOutMachineGit(root, (await findMachineGit(`${root}/programs`))!);
    assertEquals([...Deno.readDirSync(`${root}/git/bin`)].map(({ name }) => name), ["git"]);
    await Deno.remove(root, { recursive: true });
  },
});

Deno.test({
  ...needs(
    "Linux on a supported processor",
    canMakePrograms(),
    "layOutMachineGit: if a file cannot be copied, nothing is copied, and a notice gives the reason",
  ),
  async fn() {
    const root = await Deno.makeTempDir();
    await Deno.mkdir(`${root}/lib`);
    const notices: string[] = [];
    const programs = { git: findProgram("true", path)! };
    const found = { programs, users: undefined, authorities: "/nowhere/ca-certificates.crt" };
    await layOutMachineGit(root, found, (text) => void notices.push(text));
    assertEquals([...Deno.readDirSync(root)].map(({ name }) => name), ["lib"]);
    assertEquals(notices.length, 1);
    assertStringIncludes(notices[0]!, "/nowhere/ca-certificates.crt");
    await Deno.remove(root, { recursive: true });
  },
});
