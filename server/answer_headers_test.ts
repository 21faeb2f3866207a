/** Tests of common response headers and of the rate limit, through a complete server. */
import { assertEquals } from "@std/assert";
import { withAnswerHeaders } from "./answer_headers.ts";
import { NAMESPACE, serverBench } from "./testing/server_bench.ts";

const ORIGIN = "https://page.example";
const URL_OF_LIST = `https://server.test/api/v1/workflows/${NAMESPACE}`;

Deno.test("server: CORS headers are in every response, including errors, if an origin is allowed", async () => {
  await using bench = await serverBench(["server"]);
  const open = withAnswerHeaders(bench.handler, { allowedOrigin: ORIGIN, usesHsts: true });
  const peer = { address: "192.0.2.1" };
  const question = await open(new Request(URL_OF_LIST, { method: "OPTIONS" }), peer);
  assertEquals([question.status, ...headersOf(question)], [
    204,
    ORIGIN,
    "true",
    "POST, GET, OPTIONS, PUT, DELETE",
    "Content-Type, Authorization",
    "max-age=31536000",
  ]);
  for (const [url, status] of [[URL_OF_LIST, 200], ["https://server.test/api/v1/nothing", 501]] as const) {
    const answer = await open(new Request(url), peer);
    await answer.body?.cancel();
    assertEquals([answer.status, ...headersOf(answer)], [status, ORIGIN, "true", null, null, "max-age=31536000"]);
  }
  const closed = withAnswerHeaders(bench.handler, { usesHsts: false });
  const refused = await closed(new Request(URL_OF_LIST, { method: "OPTIONS" }), peer);
  assertEquals([refused.status, ...headersOf(refused)], [501, null, null, null, null, null]);
});

function headersOf({ headers }: Response) {
  return ["allow-origin", "allow-credentials", "allow-methods", "allow-headers"].map((name) =>
    headers.get(`access-control-${name}`)
  ).concat(headers.get("strict-transport-security"));
}

Deno.test("server: the rate limit counts every request of an address", async () => {
  let now = 1_000_000;
  await using bench = await serverBench(["client"], {
    rateLimit: 50,
    now: () => new Date(now),
    rateKeyHeaders: ["x-real-ip"],
  });
  const ask = async (address: string, headers: Record<string, string> = {}) => {
    const response = await bench.handler(new Request(URL_OF_LIST, { headers }), { address });
    await response.body?.cancel();
    return response;
  };
  for (let count = 1; count <= 50; count++) {
    const { status, headers } = await ask("2001:db8::1");
    assertEquals([status, headers.get("x-ratelimit-limit"), headers.get("x-ratelimit-remaining")], [
      401,
      "50",
      String(50 - count),
    ]);
  }
  const over = await bench.handler(new Request(URL_OF_LIST), { address: "2001:db8::1" });
  assertEquals([over.status, await over.text()], [429, "Too Many Requests"]);
  // The suffix is GMT, not UTC: go-limiter 1.2.0, which Argo's server uses, writes both as HTTP dates, and Retry-After
  // allows only that form (RFC 9110, 10.2.3).
  const ends = "Thu, 01 Jan 1970 00:16:41 GMT";
  assertEquals([over.headers.get("retry-after"), over.headers.get("x-ratelimit-reset")], [ends, ends]);
  assertEquals([over.headers.get("x-ratelimit-limit"), over.headers.get("x-ratelimit-remaining")], ["50", "0"]);
  assertEquals((await ask("2001:db8::2")).status, 401);
  assertEquals((await ask("2001:db8::1", { "x-real-ip": "192.0.2.9" })).status, 401);
  now += 1000;
  assertEquals((await ask("2001:db8::1")).status, 401);
});
