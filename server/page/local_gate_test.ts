/** Tests of the gate of the page on this machine. */
import { assert, assertEquals } from "@std/assert";
import type { Handler } from "../wire/peer.ts";
import { localGate, TICKETS_PATH } from "./local_gate.ts";

const KEY = "a-key-of-this-user-alone";
const HOST = { host: "127.0.0.1:2747" };

function gateOf(now = () => 0) {
  const seen: Request[] = [];
  const api: Handler = (request) => {
    seen.push(request);
    return Promise.resolve(Response.json({ ok: true }));
  };
  const page = (request: Request) => Promise.resolve(request.method === "GET" ? new Response("<html>") : undefined);
  const gate = localGate({ port: () => 2747, api, page, key: KEY, now });
  const ask = async (path: string, headers: Record<string, string> = {}, body?: unknown) =>
    await gate.handler(
      new Request(`http://127.0.0.1:2747${path}`, {
        headers: { ...HOST, ...headers },
        ...(body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }),
      }),
      { address: "127.0.0.1" },
    );
  return { gate, ask, seen };
}

async function tokenOf({ gate, ask }: ReturnType<typeof gateOf>): Promise<string> {
  const { token } = await (await ask("/api/tiphys/v1/session", {}, { ticket: gate.ticket })).json();
  return token;
}

Deno.test("gate: the ticket starts sessions as long as the gate is open; the API sees neither token nor cookie", async () => {
  const bench = gateOf();
  const ticket = bench.gate.ticket;
  const answer = await bench.ask("/api/tiphys/v1/session", {}, { ticket });
  const { token } = await answer.json();
  assertEquals((await bench.ask("/api/tiphys/v1/session", {}, { ticket })).status, 200);
  assertEquals((await bench.ask("/api/tiphys/v1/session", {}, { ticket: gateOf().gate.ticket })).status, 401);
  const authorization = `Bearer ${token}`;
  assertEquals((await bench.ask("/api/v1/info", { authorization, cookie: "authorization=x" })).status, 200);
  assertEquals((await bench.ask("/artifact-files/data/workflows/w/w/outputs/a", { authorization })).status, 200);
  assertEquals(bench.seen.map(({ url }) => new URL(url).pathname), [
    "/api/v1/info",
    "/artifact-files/data/workflows/w/w/outputs/a",
  ]);
  const [request] = bench.seen;
  assertEquals([request?.headers.get("authorization"), request?.headers.get("cookie")], [null, null]);
});

Deno.test("gate: without the token of a session, the API cannot be reached", async () => {
  const bench = gateOf();
  for (const authorization of ["", "Bearer x", `Bearer ${KEY}`, `Basic ${btoa("a:b")}`]) {
    for (const path of ["/api/v1/info", "/artifact-files/data/workflows/w/w/outputs/a", "/artifacts/data/w/w/a"]) {
      assertEquals((await bench.ask(path, { authorization, cookie: `authorization=${KEY}` })).status, 401, path);
    }
  }
  assertEquals(bench.seen.length, 0);
});

Deno.test("gate: another host name returns 421, for the page and the API", async () => {
  const bench = gateOf();
  const authorization = `Bearer ${await tokenOf(bench)}`;
  for (const host of ["evil.test:2747", "127.0.0.1", "127.0.0.1:80", "localhost.evil.test:2747"]) {
    assertEquals((await bench.ask("/", { host })).status, 421, host);
    assertEquals((await bench.ask("/api/v1/info", { host, authorization })).status, 421, host);
  }
  for (const host of ["127.0.0.1:2747", "localhost:2747", "[::1]:2747"]) {
    assertEquals((await bench.ask("/", { host })).status, 200, host);
  }
});

Deno.test("gate: requests from other pages are refused, including those from other ports of this machine", async () => {
  const bench = gateOf();
  const authorization = `Bearer ${await tokenOf(bench)}`;
  for (const origin of ["http://evil.test", "http://127.0.0.1:80", "https://127.0.0.1:2747", "null"]) {
    assertEquals((await bench.ask("/api/v1/info", { origin, authorization })).status, 403, origin);
  }
  for (const site of ["cross-site", "same-site"]) {
    assertEquals((await bench.ask("/api/v1/info", { "sec-fetch-site": site, authorization })).status, 403, site);
    assertEquals(
      (await bench.ask("/assets/main.js", { "sec-fetch-site": site, "sec-fetch-dest": "script" })).status,
      403,
    );
  }
  assertEquals(bench.seen.length, 0);
  const own = { origin: "http://127.0.0.1:2747", "sec-fetch-site": "same-origin", authorization };
  assertEquals((await bench.ask("/api/v1/info", own)).status, 200);
});

Deno.test("gate: links from other pages to the page work, and to the API they do not", async () => {
  const bench = gateOf();
  const visit = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document" };
  assertEquals((await bench.ask("/workflows", visit)).status, 200);
  const authorization = `Bearer ${await tokenOf(bench)}`;
  assertEquals((await bench.ask("/api/v1/info", { ...visit, authorization })).status, 403);
  assertEquals((await bench.ask("/workflows", { ...visit, "sec-fetch-dest": "iframe" })).status, 403);
});

Deno.test("gate: only programs with the key of this user receive tickets", async () => {
  const bench = gateOf();
  const answer = await bench.ask(TICKETS_PATH, { authorization: `Bearer ${KEY}` }, {});
  const { ticket } = await answer.json();
  assert((await bench.ask("/api/tiphys/v1/session", {}, { ticket })).ok);
  const token = await tokenOf(bench);
  for (const word of [token, "not-the-key-of-this-user"]) {
    assertEquals((await bench.ask(TICKETS_PATH, { authorization: `Bearer ${word}` }, {})).status, 401);
  }
  assertEquals((await bench.ask(TICKETS_PATH, { authorization: `Bearer ${KEY}` })).status, 501);
});

Deno.test("gate: a large body without a ticket is refused before it is read completely", async () => {
  const bench = gateOf();
  assertEquals((await bench.ask("/api/tiphys/v1/session", {}, { ticket: "x".repeat(5000) })).status, 413);
  assertEquals((await bench.ask("/api/tiphys/v1/session", {}, { ticket: 7 })).status, 401);
  assertEquals((await bench.ask("/api/tiphys/v1/session", {}, [])).status, 400);
});

Deno.test("gate: a ticket of a path is valid for reading that path for one minute", async () => {
  let now = 0;
  const bench = gateOf(() => now);
  const authorization = `Bearer ${await tokenOf(bench)}`;
  const path = "/artifact-files/data/workflows/w/w/outputs/report.html";
  const askTicket = (path: unknown, headers: Record<string, string> = { authorization }) =>
    bench.ask("/api/tiphys/v1/path-tickets", headers, { path });
  assertEquals((await askTicket(path, {})).status, 401);
  for (const other of ["/api/v1/info", "/", "", 1, "/artifact-files/../api/v1/info/"]) {
    const { status } = await askTicket(other);
    assertEquals(status, String(other).startsWith("/artifact-files/") ? 200 : 400, String(other));
  }
  const { ticket } = await (await askTicket(path)).json();
  assertEquals((await bench.ask(`${path}?scripts=true&ticket=${ticket}`)).status, 200);
  assertEquals(new URL(bench.seen.at(-1)!.url).search, "?scripts=true");
  const others = ["/api/v1/info", `${path}x`, "/artifact-files/data/workflows/w/w/outputs/other.html"];
  for (const other of others) assertEquals((await bench.ask(`${other}?ticket=${ticket}`)).status, 401, other);
  assertEquals((await bench.ask(`${path}?ticket=${ticket}`, {}, {})).status, 401, "read-only");
  // Neither the ticket of a link nor the token is a ticket of a path.
  assertEquals((await bench.ask(`${path}?ticket=${bench.gate.ticket}`)).status, 401);
  now = 60_001;
  assertEquals((await bench.ask(`${path}?ticket=${ticket}`)).status, 401);
});

Deno.test("gate: uploads require a session", async () => {
  const bench = gateOf();
  const authorization = `Bearer ${await tokenOf(bench)}`;
  const path = "/upload-artifacts/data/tmpl/input";
  assertEquals((await bench.ask(path, {}, {})).status, 401);
  assertEquals((await bench.ask(path, { authorization }, {})).status, 200);
});
