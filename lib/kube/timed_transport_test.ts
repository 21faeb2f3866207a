import { assertEquals, assertRejects } from "@std/assert";
import { KubeError } from "./errors.ts";
import { timedTransport } from "./timed_transport.ts";
import type { Transport } from "./transport.ts";

function transportOf(answer: (signal: AbortSignal | null | undefined) => Promise<Response>): Transport {
  return {
    fetch: (_path, init) => answer(init?.signal),
    webSocket: () => Promise.reject(new Error("none here")),
    close: () => {},
  };
}

/** Never responds; rejects when it is aborted. */
function silent(signal: AbortSignal | null | undefined): Promise<Response> {
  return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason), { once: true }));
}

Deno.test("timedTransport: a request without a response in time fails, and the error names the flag of the timeout", async () => {
  const error = await assertRejects(() => timedTransport(transportOf(silent), 1).fetch("/"), KubeError);
  assertEquals([error.status, error.message], [0, "no answer in 0.001 s, the time of --request-timeout"]);
});

Deno.test("timedTransport: the body of a response may take longer than the timeout", async () => {
  const timed: (AbortSignal | null | undefined)[] = [];
  const transport = timedTransport(
    transportOf((signal) => {
      timed.push(signal);
      return Promise.resolve(new Response("whole"));
    }),
    60_000,
  );
  // The test runner reports timers that are still active.
  const answer = await transport.fetch("/");
  assertEquals([timed[0]?.aborted, await answer.text()], [false, "whole"]);
});

Deno.test("timedTransport: a request that its caller aborts fails with the caller's reason", async () => {
  const stop = new AbortController();
  const asked = timedTransport(transportOf(silent), 60_000).fetch("/", { signal: stop.signal });
  stop.abort(new Error("enough"));
  await assertRejects(() => asked, Error, "enough");
});
