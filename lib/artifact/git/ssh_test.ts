import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { StoreError, type TreeDriver } from "../driver.ts";
import { driverFor } from "../driver_for.ts";
import { surroundingsOf } from "../testing/surroundings.ts";
import type { GitSettings } from "./checkout.ts";
import { runGit } from "./testing/git_server.ts";

const stop = new AbortController().signal;
const SSHD = "/usr/sbin/sshd";
const ignore = !await Deno.stat(SSHD).then(() => true, () => false);

async function run(program: string, ...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, { args, stdout: "null", stderr: "piped" }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

/** A daemon of ssh on this machine that serves one repository to three keys. */
async function sshServer() {
  const folder = await Deno.makeTempDir({ prefix: "git-sshd-" });
  const port = freePort();
  await run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", `${folder}/host`);
  const keys: Record<string, string> = {};
  let authorized = "";
  for (const [kind, ...more] of [["ed25519"], ["ecdsa"], ["rsa", "-b", "2048"], ["rsa", "-b", "2048", "-m", "PEM"]]) {
    const file = `${folder}/${kind}${more.length}`;
    await run("ssh-keygen", "-q", "-t", kind!, ...more, "-N", "", "-f", file);
    keys[`${kind}${more.length}`] = await Deno.readTextFile(file);
    authorized += await Deno.readTextFile(`${file}.pub`);
  }
  await Deno.writeTextFile(`${folder}/authorized`, authorized, { mode: 0o600 });
  await runGit(folder, ["init", "-q", "--bare", "-b", "main", "r.git"]);
  const blob = await runGit(`${folder}/r.git`, ["hash-object", "-w", "--stdin"], "by ssh");
  const tree = await runGit(`${folder}/r.git`, ["mktree"], `100644 blob ${blob}\ta\n`);
  const commit = await runGit(`${folder}/r.git`, ["commit-tree", tree, "-m", "x"]);
  await runGit(`${folder}/r.git`, ["update-ref", "refs/heads/main", commit]);
  await Deno.mkdir("/run/sshd", { recursive: true });
  const daemon = new Deno.Command(SSHD, {
    args: [
      ...["-D", "-e", "-f", "/dev/null", "-p", String(port), "-h", `${folder}/host`],
      ...[
        `AuthorizedKeysFile=${folder}/authorized`,
        "StrictModes=no",
        "ListenAddress=127.0.0.1",
        "UsePAM=no",
        "PidFile=none",
      ]
        .flatMap((option) => ["-o", option]),
    ],
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const reader = daemon.stderr.pipeThrough(new TextDecoderStream()).getReader();
  for (let text = ""; !text.includes("Server listening");) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`sshd does not start: ${text}`);
    text += value;
  }
  const drained = (async () => {
    while (!(await reader.read()).done);
  })();
  const [kind, host] = (await Deno.readTextFile(`${folder}/host.pub`)).split(" ");
  return {
    folder,
    keys,
    repo: `ssh://root@127.0.0.1:${port}${folder}/r.git`,
    knownHost: `[127.0.0.1]:${port} ${kind} ${host}\n`,
    port,
    async [Symbol.asyncDispose]() {
      daemon.kill("SIGTERM");
      await daemon.status;
      await drained;
      await Deno.remove(folder, { recursive: true });
    },
  };
}

function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

async function load(settings: GitSettings, key: string, knownHosts: string): Promise<string> {
  const folder = await Deno.makeTempDir();
  try {
    const place = {
      store: "git",
      key: "",
      settings: { ...settings, sshPrivateKeySecret: { name: "s", key: "k" } },
    };
    await Deno.writeTextFile(`${folder}/known`, knownHosts);
    const env = { PATH: Deno.env.get("PATH")!, SSH_KNOWN_HOSTS: `${folder}/known` };
    const driver = await driverFor(place, surroundingsOf({ secrets: { "s/k": key }, env })) as TreeDriver;
    await driver.load(place, `${folder}/out`, stop);
    return await Deno.readTextFile(`${folder}/out/a`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test({
  name: "a repository is fetched by ssh with a key of each kind, its last line ended or not",
  ignore,
  async fn() {
    await using server = await sshServer();
    for (const [kind, key] of Object.entries(server.keys)) {
      assertEquals([kind, await load({ repo: server.repo }, key.trimEnd(), server.knownHost)], [kind, "by ssh"]);
    }
    const temporary = Deno.env.get("TMPDIR") ?? "/tmp";
    const left = [...Deno.readDirSync(temporary)].filter(({ name }) => name.startsWith("tiphys-git-")).filter(
      ({ name }) => {
        try {
          return Object.values(server.keys).includes(Deno.readTextFileSync(`${temporary}/${name}/key`));
        } catch {
          return false; // It went meanwhile, and was somebody else's.
        }
      },
    );
    assertEquals(left, []);
  },
});

Deno.test({
  name: "a host that is not known, or has another key, is refused with its fingerprint, unless its key is ignored",
  ignore,
  async fn() {
    await using server = await sshServer();
    const key = server.keys.ed255190!;
    const repo = server.repo;
    const unknown = await assertRejects(() => load({ repo }, key, ""), StoreError, "Host key verification failed");
    assertEquals(unknown.kind, "final");
    await run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", `${server.folder}/other`);
    const [kind, other] = (await Deno.readTextFile(`${server.folder}/other.pub`)).split(" ");
    const changed = `[127.0.0.1]:${server.port} ${kind} ${other}\n`;
    await assertRejects(() => load({ repo }, key, changed), StoreError, "SHA256:");
    assertEquals(await load({ repo, insecureIgnoreHostKey: true }, key, ""), "by ssh");
  },
});

Deno.test({
  name: "a key with a passphrase, and one that is no key, are refused before anything is asked",
  ignore,
  async fn() {
    const folder = await Deno.makeTempDir();
    await run("ssh-keygen", "-q", "-t", "ed25519", "-N", "canary", "-f", `${folder}/k`);
    await run("ssh-keygen", "-q", "-t", "rsa", "-b", "2048", "-m", "PEM", "-N", "canary", "-f", `${folder}/p`);
    const repo = "ssh://git@127.0.0.1:1/r.git";
    for (const name of ["k", "p"]) {
      const text = await Deno.readTextFile(`${folder}/${name}`);
      assertStringIncludes((await assertRejects(() => load({ repo }, text, ""), StoreError)).message, "passphrase");
    }
    await assertRejects(() => load({ repo }, "no key", ""), StoreError, "holds no private key");
  },
});
