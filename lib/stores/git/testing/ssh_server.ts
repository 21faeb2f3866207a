/** An ssh daemon on this machine that serves a repository. */
import { runGit } from "./git_server.ts";

const SSHD = "/usr/sbin/sshd";

/** Whether this machine has the daemon. */
export const HAS_SSHD = await Deno.stat(SSHD).then(() => true, () => false);

/** Runs a program that must succeed. */
export async function run(program: string, ...args: string[]): Promise<void> {
  const { success, stderr } = await new Deno.Command(program, { args, stdout: "null", stderr: "piped" }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

/** Starts an ssh daemon on this machine that serves one repository to three keys. */
export async function sshServer() {
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
  // sshd rejects a folder that others may write to, which results without a umask.
  await Deno.mkdir("/run/sshd", { recursive: true, mode: 0o755 });
  await Deno.chmod("/run/sshd", 0o755);
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
