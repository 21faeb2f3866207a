import { assertEquals, assertStringIncludes } from "@std/assert";
import { gitServer } from "../lib/stores/git/testing/git_server.ts";
import { HAS_SSHD, sshServer } from "../lib/stores/git/testing/ssh_server.ts";
import { BUNDLE_FLAGS, BUNDLE_VARIABLES } from "@tiphys/portable/elf";
import { bundle } from "@tiphys/portable";
import { layOutRuntime } from "./build_executor.ts";
import { IMAGE_PACKAGES, layOutGit } from "./build_git.ts";
import { outputOf, runCommand } from "./command.ts";

const ROOT = new URL("..", import.meta.url).pathname;

async function missingPrerequisite(): Promise<string | undefined> {
  const lacking = IMAGE_PACKAGES.filter(({ file }) => {
    try {
      return !Deno.statSync(file).isFile;
    } catch {
      return true;
    }
  });
  if (lacking.length > 0) return `${lacking[0]!.name} is missing`;
  const namespaces = await runCommand(["unshare", "--mount", "true"]).catch(() => undefined);
  return namespaces?.code === 0 ? undefined : "this user may not make a root file system";
}

/**
 * The executor's image as a root file system, in which a git artifact is loaded by a user without an entry in
 * `/etc/passwd`.
 */
async function imageRoot() {
  const root = await Deno.makeTempDir({ prefix: "tiphys-image-" });
  await Deno.chmod(root, 0o755);
  await layOutRuntime(`${root}/image`);
  await layOutGit(`${root}/git`, `${root}/image`);
  await outputOf(["cp", "-a", `${root}/git/.`, `${root}/image`]);
  await bundle({ root: ROOT, entry: "lib/stores/git/testing/load_here.ts", outDir: `${root}/image/probe` });
  await Deno.mkdir(`${root}/image/dev`);
  return {
    path: `${root}/image`,
    async load(request: object, env: Record<string, string> = {}) {
      const enter = 'mount --bind /dev "$0/dev" && exec chroot --userspec=8737:8737 "$0" "$@"';
      const deno = ["/bin/deno", "run", ...BUNDLE_FLAGS, "/probe/main.js", JSON.stringify(request)];
      const { code, stdout, stderr } = await new Deno.Command("unshare", {
        args: ["--mount", "sh", "-c", enter, `${root}/image`, ...deno],
        clearEnv: true,
        env: {
          ...Object.fromEntries(BUNDLE_VARIABLES.map((variable) => variable.split(/=(.*)/, 2))),
          PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
          ...env,
        },
      }).output();
      const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes).trim();
      return { code, said: text(stdout), error: text(stderr) };
    },
    [Symbol.asyncDispose]: () => Deno.remove(root, { recursive: true }),
  };
}

const reason = await missingPrerequisite();

Deno.test({
  name: "executor image: fetches git artifacts over http and ssh with its own programs, for any user, without a shell",
  ignore: reason !== undefined || !HAS_SSHD,
  async fn() {
    await using image = await imageRoot();
    const names = [...Deno.readDirSync(`${image.path}/git/bin`)].map(({ name }) => name).sort();
    assertEquals(names, ["git", "git-remote-http", "git-remote-https", "ssh"]);
    await using server = await gitServer("me:secret");
    const [module] = await server.repository("module.git", [{ inner: "of the module" }]);
    const [first] = await server.repository("r.git", [
      { a: "first" },
      { a: "second", ".gitmodules": '[submodule "m"]\npath = m\nurl = ../module.git\n', m: `160000 ${module}` },
    ]);
    const [usernameSecret, passwordSecret] = [{ name: "s", key: "u" }, { name: "s", key: "p" }];
    const settings = { repo: `${server.url}/r.git`, usernameSecret, passwordSecret };
    const secrets = { "s/u": "me", "s/p": "secret" };
    const said = async (more: object, file: string) => {
      const { said, error } = await image.load({ settings: { ...settings, ...more }, secrets, file });
      return said || error;
    };
    assertEquals(await said({ depth: 1 }, "m/inner"), "of the module");
    assertEquals(await said({ revision: first, disableSubmodules: true }, "a"), "first");
    assertEquals(await said({ singleBranch: true, branch: "main", fetch: ["refs/heads/main"] }, "a"), "second");
    assertStringIncludes(
      await said({ passwordSecret: usernameSecret }, "a"),
      "rejects the artifact's user name and password",
    );
    await using daemon = await sshServer();
    const bySsh = (more: object) => ({
      settings: { repo: daemon.repo, sshPrivateKeySecret: { name: "s", key: "k" }, ...more },
      secrets: { "s/k": daemon.keys.ed255190! },
      file: "a",
    });
    assertStringIncludes((await image.load(bySsh({}))).error, "Host key verification failed");
    await Deno.writeTextFile(`${image.path}/known`, daemon.knownHost);
    const known = { SSH_KNOWN_HOSTS: "/known" };
    assertEquals(await image.load(bySsh({}), known), { code: 0, said: "by ssh", error: "" });
    assertEquals((await image.load(bySsh({ insecureIgnoreHostKey: true }))).said, "by ssh");
  },
});

Deno.test({
  name: "executor image: a TLS server is trusted through an authority of the image, or a configured one",
  ignore: reason !== undefined,
  async fn() {
    await using image = await imageRoot();
    const folder = await Deno.makeTempDir();
    const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"];
    const files = ["-keyout", `${folder}/key`, "-out", `${folder}/cert`];
    await outputOf(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", ...files, ...subject]);
    const [key, cert] = [`${folder}/key`, `${folder}/cert`].map((file) => Deno.readTextFileSync(file));
    const tls = { hostname: "127.0.0.1", port: 0, key, cert, onListen() {} };
    await using server = Deno.serve(tls, () => new Response("", { status: 404 }));
    const asked = { settings: { repo: `https://127.0.0.1:${server.addr.port}/r.git` }, secrets: {}, file: "a" };
    assertStringIncludes((await image.load(asked)).error, "certificate");
    await Deno.copyFile(`${folder}/cert`, `${image.path}/authority`);
    assertStringIncludes((await image.load(asked, { SSL_CERT_FILE: "/authority" })).error, "not found");
    await Deno.remove(folder, { recursive: true });
  },
});
