import { assertEquals, assertRejects } from "@std/assert";
import { fakeClock } from "../../base/clock/testing/fake_clock.ts";
import { type Driver, type Place, StoreError } from "@tiphys/model/artifact";
import { driverFor } from "../driver_for.ts";
import { driverEnvironment, sourceOf, type TestEnvironment, textOf } from "../../artifacts/testing/surroundings.ts";
import { retryPolicyOf } from "@tiphys/artifacts/transfer";
import { readOneVersion } from "../../artifacts/transfer/steady_read.ts";
import type { HttpSettings } from "./credentials.ts";

const stop = new AbortController().signal;

interface SeenRequest {
  readonly request: Request;
  readonly body: string;
}

/** A web server with a response function that records its requests. */
function serve(answer: (request: Request, body: string) => Response) {
  const seen: SeenRequest[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const body = await request.text();
    const { url, method, headers } = request;
    seen.push({ request: new Request(url, { method, headers }), body });
    return answer(request, body);
  });
  const url = `http://127.0.0.1:${server.addr.port}`;
  return { url, seen, [Symbol.asyncDispose]: () => server.shutdown() };
}

async function at(
  url: string,
  settings: Partial<HttpSettings> = {},
  test: TestEnvironment = {},
): Promise<{ driver: Driver; place: Place }> {
  const place = { store: "http", key: new URL(url).pathname, settings: { url, ...settings } };
  return { driver: await driverFor(place, driverEnvironment(test)) as Driver, place };
}

Deno.test("http: a file at a URL is found with its size and read, whole and in part", async () => {
  await using web = serve((request) => {
    const range = /bytes=(\d+)-(\d*)/.exec(request.headers.get("range") ?? "");
    if (!range) return new Response("0123456789", { headers: { etag: '"1"' } });
    const [from, to] = [Number(range[1]), Number(range[2] || 9)];
    const headers = { "content-range": `bytes ${from}-${to}/10`, etag: '"1"' };
    return new Response("0123456789".slice(from, to + 1), { status: 206, headers });
  });
  const { driver, place } = await at(`${web.url}/a`);
  assertEquals(await driver.find(place, stop), { kind: "file", size: 10, etag: '"1"' });
  assertEquals(await textOf(await driver.read(place, {}, stop)), "0123456789");
  assertEquals(await textOf(await driver.read(place, { from: 5, to: 8 }, stop)), "567");
  const error = await assertRejects(() => driver.read(place, { etag: '"2"' }, stop), StoreError);
  assertEquals(error.kind, "changed");
});

Deno.test("http: a part of a file is correct even if the server does not support ranges", async () => {
  await using web = serve(() => new Response("0123456789"));
  const { driver, place } = await at(`${web.url}/a`);
  assertEquals(await driver.find(place, stop), { kind: "file" });
  assertEquals(await textOf(await driver.read(place, { from: 5 }, stop)), "56789");
  assertEquals(await textOf(await driver.read(place, { from: 2, to: 4 }, stop)), "23");
});

Deno.test("http: a page that changes with each request is read whole, regardless of earlier lengths and etags", async () => {
  let count = 0;
  await using web = serve((request) => {
    const text = JSON.stringify({ count: ++count, range: request.headers.get("range") });
    return new Response(text, { headers: { etag: `W/"${count}"` } });
  });
  const { driver, place } = await at(`${web.url}/get`);
  const how = { policy: retryPolicyOf(() => undefined), clock: fakeClock(), stop, log() {}, random: () => 0 };
  let text = "";
  const found = await driver.find(place, stop);
  for await (const part of readOneVersion(driver, place, found, how)) text += new TextDecoder().decode(part);
  assertEquals(JSON.parse(text), { count: 2, range: null });
});

Deno.test("http: a status is an error of the matching kind, with the URL but without its query", async () => {
  const kinds = { 404: "missing", 410: "missing", 403: "forbidden", 401: "forbidden", 400: "final", 503: "transient" };
  for (const [status, kind] of Object.entries(kinds)) {
    await using web = serve(() => new Response("", { status: Number(status), headers: { "retry-after": "3600" } }));
    const { driver, place } = await at(`${web.url}/a?sig=canary`);
    const error = await assertRejects(() => driver.read(place, {}, stop), StoreError);
    assertEquals([error.kind, error.retryAfterMillis], [kind, 60_000]);
    assertEquals(error.message.startsWith(`loading content from ${web.url}/a?… failed with reason: ${status}`), true);
  }
});

Deno.test("http: another key is another path of the URL, and the same key keeps the URL as written", async () => {
  await using web = serve(() => new Response("x"));
  const { driver, place } = await at(`${web.url}/a%2fb?c=%20`);
  await driver.read({ ...place, key: "/a/b" }, {}, stop);
  await driver.read({ ...place, key: "/ü/x #?.txt" }, {}, stop);
  const paths = web.seen.map(({ request }) => request.url.slice(web.url.length));
  assertEquals(paths, ["/a%2fb?c=%20", "/%C3%BC/x%20%23%3F.txt?c=%20"]);
});

Deno.test("http: a redirect of a download to another host receives no secrets, nor does a redirect back", async () => {
  const secretOf = ({ request }: SeenRequest) => [request.headers.get("authorization"), request.headers.get("x-key")];
  let back = "";
  await using other = serve(() => Response.redirect(`${back}/back`, 302));
  await using web = serve(({ url }) => url.endsWith("/back") ? new Response("x") : Response.redirect(`${other.url}/b`));
  back = web.url;
  const { driver, place } = await at(`${web.url}/a`, {
    headers: [{ name: "X-Key", value: "canary" }],
    auth: { basicAuth: { usernameSecret: { name: "s", key: "u" }, passwordSecret: { name: "s", key: "p" } } },
  }, { secrets: { "s/u": "ü", "s/p": "p: w" } });
  assertEquals(await textOf(await driver.read(place, {}, stop)), "x");
  const first = [`Basic ${btoa(String.fromCharCode(...new TextEncoder().encode("ü:p: w")))}`, "canary"];
  assertEquals(web.seen.map(secretOf), [first, [null, null]]);
  assertEquals(other.seen.map(secretOf), [[null, null]]);
});

Deno.test("http: an upload follows only the redirects 307 and 308, with its content", async () => {
  await using other = serve(() => new Response("", { status: 201 }));
  await using web = serve(({ url }) => {
    const status = Number(new URL(url).pathname.slice(1));
    return new Response("", { status, headers: { location: other.url } });
  });
  const content = sourceOf("content");
  for (const status of [307, 308]) {
    const { driver, place } = await at(`${web.url}/${status}`);
    assertEquals(await driver.write(place, content, stop), { kind: "file", size: 7 });
  }
  assertEquals(other.seen.map(({ request, body }) => [request.method, body]), [["PUT", "content"], ["PUT", "content"]]);
  const { driver, place } = await at(`${web.url}/302`);
  await assertRejects(() => driver.write(place, content, stop), StoreError, `saving to ${web.url}/302 failed`);
});

Deno.test("http: a stream is uploaded with its length, and redirects are limited", async () => {
  await using web = serve(({ method, url }) =>
    method === "PUT" ? new Response("", { status: 201 }) : Response.redirect(`${url}x`)
  );
  const { driver, place } = await at(`${web.url}/a`);
  await driver.write(place, new Blob(["stream"]).stream(), stop);
  assertEquals([web.seen[0]?.body, web.seen[0]?.request.headers.get("content-length")], ["stream", "6"]);
  await assertRejects(() => driver.read(place, {}, stop), StoreError, "redirects more than 10 times");
});

Deno.test("http: an OAuth 2 token is fetched once for many files, and again when it expires or is rejected", async () => {
  let now = 0;
  let tokens = 0;
  let good = "";
  await using issuer = serve((request, body) => {
    assertEquals(request.headers.get("authorization"), `Basic ${btoa("me:p%C3%A4ss")}`);
    assertEquals(body, "grant_type=client_credentials&scope=a+b&audience=us");
    good = `token-${++tokens}`;
    return Response.json({ access_token: good, expires_in: 100, token_type: "bearer" });
  });
  await using web = serve(({ headers }) =>
    new Response("x", { status: headers.get("authorization") === `Bearer ${good}` ? 200 : 401 })
  );
  const environment = driverEnvironment({
    now: () => now,
    secrets: { "s/id": "me", "s/secret": "päss", "s/url": `${issuer.url}/token\n` },
  });
  const field = (key: string) => ({ name: "s", key });
  const settings = {
    auth: {
      oauth2: {
        clientIDSecret: field("id"),
        clientSecretSecret: field("secret"),
        tokenURLSecret: field("url"),
        scopes: ["a", "b"],
        endpointParams: [{ key: "audience", value: "us" }],
      },
    },
  };
  const load = async () => {
    const place = { store: "http", key: "/a", settings: { url: `${web.url}/a`, ...settings } };
    const driver = await driverFor(place, environment) as Driver;
    return await textOf(await driver.read(place, {}, stop));
  };
  for (let times = 0; times < 10; times++) assertEquals(await load(), "x");
  assertEquals(tokens, 1);
  now = 90_000;
  await load();
  assertEquals(tokens, 2);
  good = "called back";
  await load();
  assertEquals(tokens, 3);
  const asked = web.seen.length;
  await using closed = serve(() => new Response("", { status: 401 }));
  const place = { store: "http", key: "/a", settings: { url: `${closed.url}/a`, ...settings } };
  const error = await assertRejects(
    async () => (await driverFor(place, environment) as Driver).read(place, {}, stop),
    StoreError,
  );
  assertEquals([error.kind, closed.seen.length, tokens, web.seen.length], ["forbidden", 2, 4, asked]);
});

Deno.test("http: a certificate together with OAuth 2 is rejected before any request", async () => {
  const auth = { clientCert: { clientCertSecret: { key: "c" } }, oauth2: { clientIDSecret: { key: "i" } } };
  await assertRejects(() => at("http://127.0.0.1/a", { auth }), StoreError, "cannot be used together");
});

Deno.test("http: a name and password in the URL are sent as a header and never shown", async () => {
  await using web = serve(() => new Response("", { status: 403 }));
  const { driver, place } = await at(web.url.replace("//", "//me:can%20ary@") + "/a");
  const error = await assertRejects(() => driver.read(place, {}, stop), StoreError);
  assertEquals(error.message, `loading content from ${web.url}/a failed with reason: 403 Forbidden`);
  assertEquals(web.seen[0]?.request.headers.get("authorization"), `Basic ${btoa("me:can ary")}`);
});

Deno.test("artifactory: an upload sends the digest of its content, and deleting a missing file succeeds", async () => {
  await using web = serve(({ method }) => new Response("", { status: method === "PUT" ? 201 : 404 }));
  const place = { store: "artifactory", key: "/repo/a", settings: { url: `${web.url}/repo/a` } };
  const driver = await driverFor(place, driverEnvironment()) as Driver;
  await driver.write(place, sourceOf("abc"), stop);
  assertEquals(
    web.seen[0]?.request.headers.get("x-checksum-sha256"),
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
  assertEquals(await driver.remove(place, stop), { removed: 0 });
});

Deno.test("raw: an artifact is its text", async () => {
  const place = { store: "raw", key: "", settings: { data: "grün" } };
  const driver = await driverFor(place, driverEnvironment()) as Driver;
  assertEquals(await driver.find(place, stop), { kind: "file", size: 5 });
  assertEquals(await textOf(await driver.read(place, {}, stop)), "grün");
  assertEquals(await textOf(await driver.read(place, { from: 1, to: 2 }, stop)), "r");
  await assertRejects(
    () => driver.write(place, sourceOf(""), stop),
    StoreError,
    "Raw output artifacts unsupported",
  );
});

Deno.test("stores: an unknown store is an error that names it", async () => {
  const place = { store: "toString", key: "", settings: {} };
  await assertRejects(async () => await driverFor(place, driverEnvironment()), StoreError, "kind toString");
});
