import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { StoreError, type TreeDriver } from "@tiphys/model/artifact";
import { driverFor } from "../driver_for.ts";
import { driverEnvironment } from "../../artifacts/testing/surroundings.ts";
import type { GitSettings } from "./checkout.ts";
import { HAS_SSHD, run, sshServer } from "./testing/ssh_server.ts";

const stop = new AbortController().signal;
const ignore = !HAS_SSHD;

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
    const driver = await driverFor(place, driverEnvironment({ secrets: { "s/k": key }, env })) as TreeDriver;
    await driver.load(place, `${folder}/out`, stop);
    return await Deno.readTextFile(`${folder}/out/a`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test({
  name: "a repository is fetched by ssh with a key of each kind, with or without a final line end",
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
          return false; // It was deleted meanwhile, and belonged to another process.
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
  name: "git: a key with a passphrase, and an invalid key, are rejected before any request",
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
    await assertRejects(() => load({ repo }, "no key", ""), StoreError, "does not contain a private key");
  },
});

Deno.test("git: messages of ssh about its user, and of git about a rejected password, are explained", async () => {
  const folder = await Deno.makeTempDir();
  const cases = [
    ["No user exists for uid 4242", "libnss_wrapper"],
    [
      "fatal: could not read Username for 'https://git.example': terminal prompts disabled",
      "rejects the artifact's user name",
    ],
  ];
  for (const [said, words] of cases) {
    await Deno.writeTextFile(`${folder}/git`, `#!/bin/sh\necho "${said}" >&2\nexit 128\n`, { mode: 0o755 });
    const place = { store: "git", key: "", settings: { repo: "ssh://git@127.0.0.1:1/r.git" } };
    const driver = await driverFor(
      place,
      driverEnvironment({ env: { PATH: `${folder}:/usr/bin:/bin` } }),
    ) as TreeDriver;
    const error = await assertRejects(() => driver.load(place, `${folder}/out`, stop), StoreError);
    assertStringIncludes(error.message, words!);
    assertStringIncludes(error.message, said!);
  }
  await Deno.remove(folder, { recursive: true });
});
