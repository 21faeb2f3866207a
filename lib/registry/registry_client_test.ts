import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { makeServerCertificate } from "../../local/api/access/certificate.ts";
import { addressPolicy, ALLOW_ALL } from "@tiphys/base/net";
import { ImageError } from "./image_error.ts";
import type { Credentials } from "./credentials.ts";
import { RegistryClient, RegistryUnreachableError } from "./registry_client.ts";
import { digestOfBytes } from "../../local/image/testing/made_image.ts";

const BLOB = new TextEncoder().encode("0123456789".repeat(1000));
const DIGEST = digestOfBytes(BLOB);
const ME: Credentials = { kind: "password", username: "me", password: "s3cret" };

/** Runs a test with a client and a server that responds with `answer`. */
async function withServer(
  answer: (request: Request, host: string) => Response | Promise<Response>,
  act: (client: RegistryClient) => Promise<void>,
  credentials?: Credentials,
  documentWithinMs?: number,
): Promise<void> {
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    return answer(request, new URL(request.url).origin);
  });
  const url = `http://127.0.0.1:${server.addr.port}`;
  const endpoint = { url, registry: url, isConfigured: true };
  using client = new RegistryClient(endpoint, "tool", credentials, ALLOW_ALL, documentWithinMs);
  await act(client);
}

const read = async (client: RegistryClient) => await new Response(client.layer(DIGEST, BLOB.length)).bytes();

Deno.test("RegistryClient: resumes an interrupted blob, with and without range requests", async () => {
  for (const knowsRanges of [true, false]) {
    const ranges: (string | null)[] = [];
    await withServer((request) => {
      const range = request.headers.get("range");
      ranges.push(range);
      if (range === null) return new Response(BLOB.slice(0, 4000));
      return knowsRanges ? new Response(BLOB.slice(4000), { status: 206 }) : new Response(BLOB);
    }, async (client) => assertEquals(await read(client), BLOB));
    assertEquals(ranges, [null, "bytes=4000-"]);
  }
});

Deno.test("RegistryClient: a configuration that does not arrive fails after the timeout of a document", () =>
  withServer(
    () => new Response(new ReadableStream()),
    async (client) => {
      const content = new Response(client.config(DIGEST, BLOB.length));
      await assertRejects(() => content.bytes(), ImageError, "it arrives at less than 4096 bytes a second");
    },
    undefined,
    1,
  ));

Deno.test("RegistryClient: follows redirects of blobs without sending credentials", async () => {
  const seen: (string | null)[] = [];
  await using store = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    seen.push(request.headers.get("authorization"));
    return new Response(BLOB);
  });
  await withServer(
    (request) => {
      if (!request.headers.has("authorization")) {
        return new Response("", { status: 401, headers: { "www-authenticate": "Basic realm=here" } });
      }
      return Response.redirect(`http://127.0.0.1:${store.addr.port}/blob`, 307);
    },
    async (client) => assertEquals(await read(client), BLOB),
    ME,
  );
  assertEquals(seen, [null]);
});

Deno.test("RegistryClient: gets a token for one of several challenges", async () => {
  const scopes: (string | null)[] = [];
  await withServer((request, host) => {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === "/token") {
      scopes.push(searchParams.get("scope"), searchParams.get("more"));
      return Response.json({ access_token: "t" });
    }
    if (request.headers.get("authorization") === "Bearer t") return new Response(BLOB);
    const challenge = `Bearer realm="${host}/token?more=1",scope="repository:tool:pull", Basic realm="here"`;
    return new Response("", { status: 401, headers: { "www-authenticate": challenge } });
  }, async (client) => assertEquals(await read(client), BLOB));
  assertEquals(scopes, ["repository:tool:pull", "1"]);
});

Deno.test("RegistryClient: retries after the delay that an overloaded server requests", async () => {
  const codes = [429, 503];
  await withServer((_request) => {
    const status = codes.shift();
    return status ? new Response("", { status, headers: { "retry-after": "0" } }) : new Response(BLOB);
  }, async (client) => assertEquals(await read(client), BLOB));
});

Deno.test("RegistryClient: does not wait for a long time and suggests what to do instead", async () => {
  const busy = () => new Response("", { status: 429, headers: { "retry-after": "3600" } });
  await withServer(busy, async (client) => {
    await assertRejects(() => client.manifest("1"), ImageError, "retry after 3600 seconds, log in, or use a mirror");
  });
});

Deno.test("RegistryClient: refuses a manifest or token whose server sends headers and no content", async () => {
  for (const silent of ["manifests", "token"]) {
    await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
      const { pathname, origin } = new URL(request.url);
      if (pathname.includes(silent)) return new Response(new ReadableStream());
      return challenged(`Bearer realm="${origin}/token"`);
    });
    const url = `http://127.0.0.1:${server.addr.port}`;
    using client = new RegistryClient({ url, registry: url, isConfigured: true }, "tool", undefined, ALLOW_ALL, 1);
    await assertRejects(() => client.manifest("1"), ImageError, "is incomplete after 0.001 seconds");
  }
});

Deno.test("RegistryClient: the message of an unsafe redirect has no password or signature", async () => {
  for (
    const location of [
      "ftp://me:s3cret@mirror/blob",
      "//me:s3cret@[mirror/blob",
      "ftp://me:s3@cret@mirror/blob",
      "FTP://s3cret@mirror/blob",
      "ftp://mirror/blob?X-Amz-Signature=s3cret",
      "ftp://mirror/blob#s3cret",
    ]
  ) {
    await withServer((request, host) => {
      if (request.url.includes("sig=")) return new Response("", { status: 307, headers: { location } });
      return new Response("", { status: 307, headers: { location: `${host}/blob?sig=s3cret` } });
    }, async (client) => {
      const { message } = await assertRejects(() => client.manifest("1"), ImageError, "redirects to an unsafe address");
      assert(!/s3|cret/.test(message), message);
    });
  }
});

Deno.test("RegistryClient: reports a failed login without a password", async () => {
  const table: readonly (readonly [string, (request: Request, host: string) => Response])[] = [
    ["authentication required", () => new Response("", { status: 401 })],
    ["which is not a valid URL", () => challenged('Bearer realm="nowhere"')],
    [
      "no token: 403: access denied",
      (request, host) =>
        request.url.endsWith("/token") ? new Response("", { status: 403 }) : challenged(`Bearer realm="${host}/token"`),
    ],
    [
      "the response has no token",
      (request, host) =>
        request.url.endsWith("/token") ? new Response("<html>") : challenged(`Bearer realm="${host}/token"`),
    ],
  ];
  for (const [words, answer] of table) {
    await withServer(answer, async (client) => {
      const error = await assertRejects(() => client.manifest("1"), ImageError, words);
      assert(!error.message.includes("s3cret"));
    }, ME);
  }
});

function challenged(challenge: string): Response {
  return new Response("", { status: 401, headers: { "www-authenticate": challenge } });
}

async function failureOf(url: string): Promise<Error> {
  using client = new RegistryClient({ url, registry: url, isConfigured: true }, "tool", undefined, ALLOW_ALL);
  return await client.manifest("1").then(() => new Error("Expected an error"), (error) => error);
}

Deno.test("RegistryClient: distinguishes an unreachable registry from an untrusted certificate", async () => {
  assert(await failureOf("https://127.0.0.1:2") instanceof RegistryUnreachableError);
  assert(await failureOf("https://registry.invalid") instanceof RegistryUnreachableError);
  const { cert, key } = makeServerCertificate(new Date());
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", cert, key, onListen() {} }, () => new Response());
  const plain = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, () => new Response());
  try {
    for (const { addr: { port } } of [server, plain]) {
      const error = await failureOf(`https://127.0.0.1:${port}`);
      assert(error instanceof ImageError && !(error instanceof RegistryUnreachableError), error.message);
    }
  } finally {
    await Promise.all([server.shutdown(), plain.shutdown()]);
  }
});

Deno.test("RegistryClient: a redirect to an unreachable server is a refusal, not an unreachable registry", async () => {
  const realm = "https://registry.invalid/token";
  const challenged = { status: 401, headers: { "www-authenticate": `Bearer realm="${realm}"` } };
  await withServer(() => new Response("", challenged), async (client) => {
    const error = await client.manifest("1").then(() => undefined, (error) => error);
    assert(error instanceof ImageError && !(error instanceof RegistryUnreachableError));
  });
});

Deno.test("RegistryClient: rejects loopback and link-local addresses of the registry, its token server and redirects", async () => {
  let answer: () => Response = () => new Response();
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, () => answer());
  const url = `http://127.0.0.1:${server.addr.port}`;
  const lookup = (name: string) => Promise.resolve([name === "metadata.example" ? "169.254.169.254" : "127.0.0.2"]);
  const reach = addressPolicy({ allowed: new URL(url).host, lookup });
  const refusal = async (registry: string) => {
    const endpoint = { url: registry, registry, isConfigured: false };
    using client = new RegistryClient(endpoint, "tool", undefined, reach);
    const error = await assertRejects(() => client.manifest("1"), ImageError, "is not permitted");
    assert(!(error instanceof RegistryUnreachableError));
    return error.message;
  };
  assertMatch(await refusal("https://metadata.example"), /link-local, where cloud metadata is/);
  assertMatch(await refusal("http://rebound.example:5000"), /this machine/);
  answer = () => challenged('Bearer realm="http://metadata.example/token"');
  assertMatch(await refusal(url), /^http:\/\/metadata\.example .*link-local/);
  answer = () => Response.redirect("http://rebound.example:5000/v2/", 307);
  assertMatch(await refusal(url), /^http:\/\/rebound\.example:5000 .*this machine/);
});
