/**
 * Tests of a server behind a reverse proxy that prefixes a path, or strips it: responses are the same as without a
 * proxy.
 */
import { assertEquals } from "@std/assert";
import { NAMESPACE, serverBench } from "./testing/server_bench.ts";

const page = () => Promise.resolve(new Response("the page"));

/** Paths of each kind, requested without credentials. */
const REQUESTS: readonly (readonly [path: string, headers?: Record<string, string>])[] = [
  ["/api/v1/info"],
  ["/api/v1/nope"],
  [`/api/v1/workflows/${NAMESPACE}`],
  [`/api/v1/workflow-events/${NAMESPACE}`],
  [`/api/v1/workflow-events/${NAMESPACE}`, { accept: "text/event-stream" }],
  [`/artifacts/${NAMESPACE}/w/w/a`],
  ["/artifact-files/nope"],
  ["/oauth2/redirect"],
  ["/healthz"],
  ["/metrics"],
  ["/workflows"],
  ["/"],
];

Deno.test("base href: responses are the same behind a proxy, with or without the prefix stripped", async () => {
  await using plain = await serverBench(["client"], { page });
  await using behind = await serverBench(["client"], { page, baseHref: "/argo/" });
  for (const [path, headers = {}] of REQUESTS) {
    const told = async (bench: typeof plain, base: string) => {
      const response = await bench.ask("GET", `${base}${path}`, { headers });
      return [response.status, response.headers.get("content-type"), await response.text()];
    };
    const expected = await told(plain, "");
    assertEquals(await told(behind, "/argo"), expected, path);
    assertEquals(await told(behind, ""), expected, path);
  }
  const elsewhere = await behind.ask("GET", "/argox/api/v1/info");
  assertEquals(await elsewhere.text(), "the page");
});
