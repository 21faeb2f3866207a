import { assertEquals, assertRejects } from "@std/assert";
import { execCredentials, type ExecLogin } from "./exec_login.ts";
import { readPlainKubeconfig } from "./plain_kubeconfig.ts";

const V1 = "client.authentication.k8s.io/v1";

/** Writes a shell script to a temporary folder, to be named in a kubeconfig there. */
async function withProgram(script: string, test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/login`, `#!/bin/sh\n${script}\n`, { mode: 0o700 });
    await test(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function loginIn(folder: string, exec: Record<string, unknown>): ExecLogin {
  return {
    exec: { apiVersion: V1, command: "./login", interactiveMode: "Never", ...exec },
    cluster: {
      server: "https://c",
      extensions: [{ name: "client.authentication.k8s.io/exec", extension: { audience: "a" } }],
    },
    authority: () => Promise.resolve("PEM"),
    folder,
    user: "u",
  };
}

const answer = (status: object) => JSON.stringify({ apiVersion: V1, kind: "ExecCredential", status });

Deno.test("execCredentials: runs the program once until its credentials expire, and again when they were rejected", () =>
  withProgram(
    `echo run >>"$COUNT"; cat "$ANSWER"`,
    async (folder) => {
      const env = [{ name: "COUNT", value: `${folder}/count` }, { name: "ANSWER", value: `${folder}/answer` }];
      const expirationTimestamp = "2026-01-01T00:00:00Z";
      await Deno.writeTextFile(`${folder}/answer`, answer({ token: "t", expirationTimestamp }));
      let now = Date.parse(expirationTimestamp) - 1;
      const ask = execCredentials(loginIn(folder, { env }), { now: () => now, isTerminal: () => false });
      const asked = async (rejected: boolean) => {
        const { headers } = await ask(rejected);
        const runs = (await Deno.readTextFile(`${folder}/count`)).split("\n").length - 1;
        return [headers?.authorization, runs];
      };
      assertEquals(await asked(false), ["Bearer t", 1]);
      assertEquals(await asked(false), ["Bearer t", 1]);
      assertEquals(await asked(true), ["Bearer t", 2]);
      now++;
      assertEquals(await asked(false), ["Bearer t", 3]);
      // Without an expiration time the credentials stay valid.
      await Deno.writeTextFile(`${folder}/answer`, answer({ clientCertificateData: "C", clientKeyData: "K" }));
      assertEquals((await ask(true)).tls, { cert: "C", key: "K" });
      now = Number.MAX_VALUE;
      assertEquals((await asked(false))[1], 4);
    },
  ));

Deno.test("execCredentials: passes cluster information if the entry requires it, and whether the program may prompt", () =>
  withProgram(
    `printf '%s %s' "$KUBERNETES_EXEC_INFO" "$*" >"$TOLD"; echo '${answer({ token: "t" })}'`,
    async (folder) => {
      const env = [{ name: "TOLD", value: `${folder}/told` }];
      const told = async (exec: Record<string, unknown>) => {
        await execCredentials(loginIn(folder, { ...exec, env, args: ["a b", "c"] }))(false);
        const [, info = "", args] = /^(.*) (a b c)$/.exec(await Deno.readTextFile(`${folder}/told`)) ?? [];
        return [JSON.parse(info).spec, args];
      };
      assertEquals(await told({}), [{ interactive: false }, "a b c"]);
      const cluster = { server: "https://c", "certificate-authority-data": btoa("PEM"), config: { audience: "a" } };
      assertEquals(await told({ provideClusterInfo: true }), [{ interactive: false, cluster }, "a b c"]);
    },
  ));

Deno.test("execCredentials: an error names the user and the program, but nothing of its output", async () => {
  const said = async (script: string, exec: Record<string, unknown>) => {
    let message = "";
    await withProgram(script, async (folder) => {
      const ask = execCredentials(loginIn(folder, exec), { now: Date.now, isTerminal: () => false });
      message = (await assertRejects(() => ask(false), Error)).message.replaceAll(folder, "FOLDER");
    });
    const before = `The kubeconfig's user "u" could not log in by its command ${
      JSON.stringify(exec.command ?? "./login")
    }: `;
    assertEquals(message.slice(0, before.length), before);
    return message.slice(before.length);
  };
  const rows: readonly (readonly [script: string, exec: Record<string, unknown>, words: string])[] = [
    ["", { command: "no-such-program", installHint: "get it" }, "there is no such program\nget it"],
    ["echo canary; exit 3", {}, "it exited with code 3"],
    ["echo '{canary'", {}, `expected it to print an ExecCredential of ${V1}, got something else`],
    [
      `echo '${answer({ clientCertificateData: "canary" })}'`,
      {},
      "it printed neither a token nor a certificate with its key",
    ],
    [
      `echo '${answer({ token: "t", expirationTimestamp: "canary" })}'`,
      {},
      "its expirationTimestamp is not a valid time",
    ],
    ["yes canary", {}, "it printed more than 1048576 bytes"],
    ["", { interactiveMode: "Always" }, "it prompts, and standard input is not a terminal"],
    [
      "",
      { apiVersion: "client.authentication.k8s.io/v1alpha1" },
      `expected the apiVersion ${V1} or ${V1}beta1, got "client.authentication.k8s.io/v1alpha1"`,
    ],
  ];
  for (const [script, exec, words] of rows) assertEquals(await said(script, exec), words);
});

Deno.test("execCredentials: a relative path of a program is next to the kubeconfig, and the cluster's authority is kept", () =>
  withProgram(`echo '${answer({ token: "t" })}'`, async (folder) => {
    const config = {
      "current-context": "x",
      contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
      clusters: [{ name: "c", cluster: { server: "https://c", "certificate-authority-data": btoa("PEM") } }],
      users: [{ name: "u", user: { exec: { apiVersion: V1, command: "./login" } } }],
    };
    await Deno.writeTextFile(`${folder}/config`, JSON.stringify(config));
    const login = await readPlainKubeconfig(`${folder}/config`, undefined);
    assertEquals(await login?.credentials(false), {
      headers: { authorization: "Bearer t" },
      tls: { caCerts: ["PEM"] },
    });
  }));
