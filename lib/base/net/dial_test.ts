import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { outputOf } from "../../../scripts/command.ts";
import { NetError, type TlsOptions } from "./net.ts";
import { openNet } from "./open_net.ts";
import { type Script, scriptedServer } from "./testing/scripted_server.ts";

const stop = new AbortController().signal;
const OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

const answering: Script = async (visit) => {
  while (await visit.request() !== "") await visit.write(OK);
};

/** Two authorities, and certificates signed by the first: for this machine, for another name, and an expired one. */
async function certificates() {
  const folder = await Deno.makeTempDir();
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  for (const name of ["a", "b"]) {
    const files = ["-keyout", `${folder}/${name}.key`, "-out", `${folder}/${name}.crt`];
    await outputOf(["openssl", "req", "-x509", ...key, ...files, "-subj", `/CN=${name}`, "-days", "2"]);
  }
  for (
    const [name, subject, days] of [
      ["here", "IP:127.0.0.1,DNS:localhost", "2"],
      ["other", "DNS:other.example", "2"],
      ["old", "IP:127.0.0.1", "-1"],
    ] as const
  ) {
    const request = ["-keyout", `${folder}/${name}.key`, "-out", `${folder}/${name}.csr`, "-subj", `/CN=${name}`];
    await outputOf(["openssl", "req", ...key, ...request]);
    await Deno.writeTextFile(`${folder}/ext`, `subjectAltName=${subject}`);
    const signing = [
      "-CA",
      `${folder}/a.crt`,
      "-CAkey",
      `${folder}/a.key`,
      "-CAcreateserial",
      "-extfile",
      `${folder}/ext`,
    ];
    await outputOf([
      "openssl",
      "x509",
      "-req",
      "-in",
      `${folder}/${name}.csr`,
      ...signing,
      "-days",
      days,
      "-out",
      `${folder}/${name}.crt`,
    ]);
  }
  const read = (name: string) => Deno.readTextFileSync(`${folder}/${name}`);
  const pair = (name: string) => ({ cert: read(`${name}.crt`), key: read(`${name}.key`) });
  const all = { a: read("a.crt"), b: read("b.crt"), here: pair("here"), other: pair("other"), old: pair("old") };
  await Deno.remove(folder, { recursive: true });
  return all;
}

async function get(url: string, tls?: TlsOptions, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const net = openNet({ env: (name) => env[name] });
  try {
    const response = await net.send({ method: "GET", url: new URL(url), stop, ...(tls ? { tls } : {}) });
    return await response.text();
  } finally {
    net.close();
  }
}

/** Two tests share the certificates, which take a while to create. */
const made = certificates();

// `node:tls` closes its sockets after the end of the test that opened them.
const options = { sanitizeResources: false, sanitizeOps: false };

Deno.test(
  "dial: given authorities replace the system's, and other certificates fail as not retryable",
  options,
  async () => {
    const { a, b, here, other, old } = await made;
    await using server = scriptedServer([answering], here);
    await using expired = scriptedServer([answering], old);
    await using stranger = scriptedServer([answering], other);
    assertEquals(await get(server.url, { caCerts: [a] }), "ok");
    for (
      const [url, tls, words] of [
        [server.url, undefined, "an authority that is not trusted here"],
        [server.url, { caCerts: [b] }, "an authority that is not trusted here"],
        [stranger.url, { caCerts: [a] }, "is not for 127.0.0.1"],
        [expired.url, { caCerts: [a] }, "expired"],
      ] as const
    ) {
      const error = await assertRejects(() => get(url, tls), NetError, words);
      assertEquals(error.passes, false);
    }
    assertEquals(await get(stranger.url, { insecureSkipVerify: true }), "ok");
  },
);

Deno.test("dial: reports a port without TLS", options, async () => {
  await using server = scriptedServer([async (visit) => {
    await visit.write("HTTP/1.1 400 Bad Request\r\n\r\n");
    await visit.until("never sent");
  }]);
  const error = await assertRejects(() => get(`https://127.0.0.1:${server.port}`), NetError, "does not speak TLS");
  assertEquals(error.passes, false);
});

Deno.test("dial: requests to an HTTP proxy have the whole URL and the proxy's credentials", async () => {
  let seen = "";
  await using proxy = scriptedServer([async (visit) => {
    seen = await visit.request();
    await visit.write(OK);
  }]);
  const env = { HTTP_PROXY: `http://joe:pw@127.0.0.1:${proxy.port}` };
  assertEquals(await get("http://store.example:81/a?b=c", undefined, env), "ok");
  assertEquals(seen.split("\r\n")[0], "GET http://store.example:81/a?b=c HTTP/1.1");
  assertStringIncludes(seen, `Proxy-Authorization: Basic ${btoa("joe:pw")}\r\n`);
});

Deno.test(
  "dial: TLS servers are reached through a tunnel of the proxy; a refusal names the proxy",
  options,
  async () => {
    const { a, other } = await made;
    await using server = scriptedServer([answering], other);
    let seen = "";
    const tunnel: Script = async (visit) => {
      seen = await visit.until("\r\n\r\n");
      const to = await Deno.connect({ hostname: "127.0.0.1", port: server.port });
      await visit.write("HTTP/1.1 200 OK\r\n\r\n");
      await Promise.all([pump(visit.conn, to), pump(to, visit.conn)]);
    };
    await using proxy = scriptedServer([tunnel, async (visit) => {
      await visit.until("\r\n\r\n");
      await visit.write("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
    }]);
    const env = { HTTPS_PROXY: `http://joe:pw@127.0.0.1:${proxy.port}` };
    assertEquals(await get("https://other.example/", { caCerts: [a] }, env), "ok");
    assertStringIncludes(seen, "CONNECT other.example:443 HTTP/1.1\r\n");
    const error = await assertRejects(
      () => get("https://other.example/", undefined, env),
      NetError,
      "does not connect to",
    );
    assertEquals(error.passes, false);
    assert(!error.message.includes("pw"));
  },
);

Deno.test("dial: rejects a user or password that is not percent-encoded, without quoting it", async () => {
  await using proxy = scriptedServer([answering]);
  for (
    const [url, env] of [
      ["http://store.example/", { HTTP_PROXY: `http://joe:canary%zz@127.0.0.1:${proxy.port}` }],
      ["https://store.example/", { HTTPS_PROXY: `http://can%ffary:pw@127.0.0.1:${proxy.port}` }],
      [`http://joe:canary%zz@127.0.0.1:${proxy.port}/`, {}],
    ] as const
  ) {
    const error = await assertRejects(() => get(url, undefined, env), NetError, "is not percent-encoded correctly");
    assertEquals([error.passes, /canary|can%/.test(error.message)], [false, false]);
    assertStringIncludes(error.message, new URL(Object.values(env)[0] ?? url).host);
  }
});

async function pump(from: Deno.Conn, to: Deno.Conn): Promise<void> {
  const buffer = new Uint8Array(65_536);
  try {
    for (let size = await from.read(buffer); size !== null; size = await from.read(buffer)) {
      for (let done = 0; done < size;) done += await to.write(buffer.subarray(done, size));
    }
  } catch { /* It was closed. */ }
  try {
    to.close();
  } catch { /* It is closed. */ }
}
