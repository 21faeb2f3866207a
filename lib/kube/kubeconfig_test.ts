import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { ownCertificate } from "@tiphys/base/x509";
import { connectKubeconfig, kubeconfigAuthorization } from "./kubeconfig.ts";
import { chosenLogin, type LoginChoice } from "./login.ts";

Deno.test("kubeconfig: a file that cannot be read is reported with the reason, without its content", async () => {
  const folder = await Deno.makeTempDir();
  const said = async (kubeconfig: string) =>
    (await assertRejects(() => connectKubeconfig({ kubeconfig }), Error)).message;
  try {
    const missing = `${folder}/missing`;
    assertEquals(await said(missing), `Could not read the kubeconfig ${missing}: there is no such file`);
    assertEquals(await said(folder), `Could not read the kubeconfig ${folder}: it is a folder`);
    const endless = "/dev/zero";
    assertEquals(await said(endless), `Could not read the kubeconfig ${endless}: it has more than 4194304 bytes`);
    const broken = `${folder}/broken`;
    await Deno.writeTextFile(broken, "users: [{token: canary}\n");
    const message = await said(broken);
    assertEquals([message.startsWith(`Could not read the kubeconfig ${broken}: `), /canary|\n/.test(message)], [
      true,
      false,
    ]);
    const deep = `${folder}/deep`;
    await Deno.writeTextFile(deep, `users: [{token: canary}]\ncontexts: ${"[".repeat(20_000)}`);
    assertMatch(
      await said(deep),
      /^Could not read the kubeconfig \S+deep: line 2, column \d+: lists and objects are nested more than 200 levels deep$/,
    );
    const unnamed = `${folder}/unnamed`;
    await Deno.writeTextFile(unnamed, "users: [{user: {token: canary}}]\n");
    assertMatch(await said(unnamed), /^Could not read the kubeconfig \S+unnamed: (?!.*canary)/);
    const empty = `${folder}/empty`;
    await Deno.writeTextFile(empty, "{}");
    assertEquals(await said(empty), "Expected the kubeconfig to name a current-context, or --context to");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("kubeconfig: a token or certificates without an end are refused", async () => {
  const kubeconfig = await Deno.makeTempFile();
  const refusal = async (cluster: string, user: string) => {
    await Deno.writeTextFile(
      kubeconfig,
      `current-context: x\ncontexts: [{name: x, context: {cluster: c, user: u}}]
clusters: [{name: c, cluster: {server: "https://near:6443"${cluster}}}]\nusers: [{name: u, user: {${user}}}]\n`,
    );
    return (await assertRejects(() => kubeconfigAuthorization({ kubeconfig }), Error)).message;
  };
  try {
    const message = "Could not read /dev/zero, a file of the kubeconfig: it has more than 1048576 bytes";
    assertEquals(await refusal("", "tokenFile: /dev/zero"), message);
    assertEquals(await refusal(", certificate-authority: /dev/zero", "token: t"), message);
    assertEquals(await refusal("", "client-certificate: /dev/zero, client-key: /dev/zero"), message);
  } finally {
    await Deno.remove(kubeconfig);
  }
});

/** A kubeconfig with two clusters and two users, one of whom logs in with a program that does not exist. */
const TWO_OF_EACH = `
current-context: home
contexts:
- {name: home, context: {cluster: near, user: plugin, namespace: mine}}
clusters:
- {name: near, cluster: {server: "https://near:6443", certificate-authority-data: ${btoa("near's authority")}}}
- {name: far, cluster: {server: "https://far:6443"}}
users:
- {name: plugin, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: /nonexistent}}}
- {name: plain, user: {token: plain}}
`;

Deno.test("kubeconfig: the first file in KUBECONFIG takes precedence, paths are relative to their file, and missing files are skipped", async () => {
  const folder = await Deno.makeTempDir();
  const before = Deno.env.get("KUBECONFIG");
  const write = async (file: string, config: object) => {
    await Deno.mkdir(`${folder}/${file}`);
    await Deno.writeTextFile(`${folder}/${file}/config`, JSON.stringify(config));
    return `${folder}/${file}/config`;
  };
  const cluster = (name: string, server: string) => ({ name, cluster: { server } });
  const entry = (name: string) => ({ name, context: { cluster: name, user: name, namespace: `of-${name}` } });
  try {
    const first = await write("one", {
      clusters: [cluster("a", "https://one.test")],
      users: [{ name: "a", user: { tokenFile: "token" } }],
      contexts: [entry("a")],
    });
    await Deno.writeTextFile(`${folder}/one/token`, "of one");
    const two = await write("two", {
      "current-context": "a",
      clusters: [cluster("a", "https://two.test"), cluster("b", "https://b.test")],
      users: [{ name: "a", user: { token: "of two" } }, { name: "b", user: { token: "of b" } }],
      contexts: [entry("b")],
    });
    const exec = {
      apiVersion: "client.authentication.k8s.io/v1",
      command: "./login",
      interactiveMode: "Never",
      env: [{ name: "WHO", value: "of three" }],
    };
    const three = await write("three", {
      "current-context": "b",
      clusters: [cluster("c", "https://c.test")],
      users: [{ name: "c", user: { exec } }],
      contexts: [entry("c")],
    });
    const answer =
      '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"\'"$WHO"\'"}}';
    await Deno.writeTextFile(`${folder}/three/login`, `#!/bin/sh\necho '${answer}'\n`, { mode: 0o700 });
    const nope = `${folder}/nope`;
    Deno.env.set("KUBECONFIG", [nope, first, two, three].join(":"));
    const { context, server, namespace } = await connectKubeconfig({});
    assertEquals([context, server, namespace], ["a", "https://one.test", "of-a"]);
    assertEquals(await kubeconfigAuthorization({}), "Bearer of one");
    const other = await connectKubeconfig({ context: "b" });
    assertEquals([other.server, await kubeconfigAuthorization({ context: "b" })], ["https://b.test", "Bearer of b"]);
    assertEquals(await kubeconfigAuthorization({ context: "c" }), "Bearer of three");
    Deno.env.set("KUBECONFIG", `${nope}:${two}`);
    assertEquals((await connectKubeconfig({ context: "b" })).server, "https://b.test");
    Deno.env.set("KUBECONFIG", `${nope}:${nope}2`);
    await assertRejects(() => connectKubeconfig({}), Error, `${nope}: there is no such file`);
    await assertRejects(() => connectKubeconfig({ kubeconfig: nope }), Error, `${nope}: there is no such file`);
  } finally {
    if (before === undefined) Deno.env.delete("KUBECONFIG");
    else Deno.env.set("KUBECONFIG", before);
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("kubeconfig: options override cluster, user, address and token of the context, and no program is run", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const kubeconfig = `${folder}/config`;
    await Deno.writeTextFile(kubeconfig, TWO_OF_EACH);
    const told = async (choice: LoginChoice) => {
      const { server, namespace } = await connectKubeconfig({ kubeconfig, choice });
      return [server, namespace, await kubeconfigAuthorization({ kubeconfig, choice })];
    };
    assertEquals(await told({ user: "plain" }), ["https://near:6443", "mine", "Bearer plain"]);
    assertEquals(await told({ cluster: "far", token: "told" }), ["https://far:6443", "mine", "Bearer told"]);
    assertEquals(await told({ server: "https://else:1", username: "u", password: "p" }), [
      "https://else:1",
      "mine",
      `Basic ${btoa("u:p")}`,
    ]);
    for (
      const [choice, words] of [[{ cluster: "x" }, '"near", "far"'], [{ user: "x" }, '"plugin", "plain"']] as const
    ) {
      await assertRejects(() => connectKubeconfig({ kubeconfig, choice }), Error, words);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("kubeconfig: certificate options override those of the context individually", async () => {
  const own = { headers: {}, tls: { caCerts: ["own"], cert: "c", key: "k" } };
  const login = { context: "", namespace: undefined, cluster: undefined, credentials: () => Promise.resolve(own) };
  assertEquals((await chosenLogin(login, { caCert: "told" }).credentials(false)).tls, {
    caCerts: ["told"],
    cert: "c",
    key: "k",
  });
  assertEquals((await chosenLogin(login, { cert: "C", key: "K" }).credentials(false)).tls, {
    caCerts: ["own"],
    cert: "C",
    key: "K",
  });
});

Deno.test("kubeconfig: name and password are sent in UTF-8 from any source", async () => {
  const expected = `Basic ${new TextEncoder().encode("łucja:hasło:ü").toBase64()}`;
  const folder = await Deno.makeTempDir();
  try {
    const kubeconfig = `${folder}/config`;
    const user = '{name: a, user: {username: łucja, password: "hasło:ü"}}';
    const users = ["users:\n- {name: plugin", `users:\n- ${user}\n- {name: plugin`] as const;
    await Deno.writeTextFile(kubeconfig, TWO_OF_EACH.replace(...users));
    const told = (choice: LoginChoice) => kubeconfigAuthorization({ kubeconfig, choice });
    assertEquals(await told({ username: "łucja", password: "hasło:ü" }), expected);
    assertEquals(await told({ user: "a" }), expected);
    // A path that may be several files is read by the library.
    const several = `${folder}/one:two`;
    await Deno.copyFile(kubeconfig, several);
    assertEquals(await kubeconfigAuthorization({ kubeconfig: several, choice: { user: "a" } }), expected);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("kubeconfig: options for the server take precedence over the kubeconfig and need no context", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const kubeconfig = `${folder}/config`;
    const server = async (choice: LoginChoice) => (await connectKubeconfig({ kubeconfig, choice })).server;
    const near = [
      '{server: "https://near:6443"',
      '{server: "https://near:6443", insecure-skip-tls-verify: true',
    ] as const;
    await Deno.writeTextFile(kubeconfig, TWO_OF_EACH.replace(...near));
    await assertRejects(() => server({ user: "plain" }), Error, "set certificate-authority");
    assertEquals(await server({ user: "plain", caCert: "told" }), "https://near:6443");
    await Deno.writeTextFile(kubeconfig, TWO_OF_EACH.replace("current-context: home", ""));
    assertEquals(await server({ server: "https://else:1", token: "t" }), "https://else:1");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("kubeconfig: tls-server-name is the name that the cluster's certificate must have", async () => {
  const { cert, key } = ownCertificate("ArgoProj", new Date());
  const answer = () => Response.json({ kind: "NamespaceList", metadata: {}, items: [] });
  const listen = { hostname: "127.0.0.1", port: 0, onListen() {} };
  await using server = Deno.serve({ ...listen, cert, key }, answer);
  const folder = await Deno.makeTempDir();
  try {
    const kubeconfig = `${folder}/config`;
    const cluster = { server: `https://127.0.0.1:${server.addr.port}`, "certificate-authority-data": btoa(cert) };
    const asked = async (fields: object, more: { choice?: LoginChoice; user?: object } = {}) => {
      const config = {
        "current-context": "x",
        contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
        clusters: [{ name: "c", cluster: { ...cluster, ...fields } }],
        users: [{ name: "u", user: more.user ?? { token: "t" } }],
      };
      await Deno.writeTextFile(kubeconfig, JSON.stringify(config));
      const { transport, anonymous } = await connectKubeconfig({ kubeconfig, choice: more.choice });
      const both = [transport, anonymous()];
      try {
        for (const transport of both) await (await transport.fetch("/api/v1/namespaces")).text();
        return "answered";
      } catch (error) {
        return error instanceof Error ? error.message : "";
      } finally {
        for (const transport of both) transport.close();
      }
    };
    const name = { "tls-server-name": "localhost" };
    assertMatch(await asked({ "tls-server-name": "elsewhere" }), /not valid for name "elsewhere"/);
    assertEquals(await asked(name), "answered");
    assertEquals(await asked({}, { choice: { tlsServerName: "localhost" } }), "answered");
    const user = { "client-certificate-data": btoa(cert), "client-key-data": btoa(key) };
    assertMatch(await asked(name, { user }), /tls-server-name is not supported together with a client certificate/);
    assertMatch(
      await asked({ ...name, "proxy-url": "http://127.0.0.1:9" }),
      /tls-server-name is not supported with a proxy/,
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
