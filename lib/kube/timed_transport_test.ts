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

/** Answers nothing until it is told to stop. */
function silent(signal: AbortSignal | null | undefined): Promise<Response> {
  return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason), { once: true }));
}

Deno.test("a request that is not answered in time fails, and says which flag set the time", async () => {
  const error = await assertRejects(() => timedTransport(transportOf(silent), 1).fetch("/"), KubeError);
  assertEquals([error.status, error.message], [0, "no answer in 0.001 s, the time of --request-timeout"]);
});

Deno.test("an answer that has begun may take as long as it takes", async () => {
  const timed: (AbortSignal | null | undefined)[] = [];
  const transport = timedTransport(
    transportOf((signal) => {
      timed.push(signal);
      return Promise.resolve(new Response("whole"));
    }),
    60_000,
  );
  // A timer that went on would be told of by the runner of the tests.
  const answer = await transport.fetch("/");
  assertEquals([timed[0]?.aborted, await answer.text()], [false, "whole"]);
});

Deno.test("a request that its caller ends fails as its caller said", async () => {
  const stop = new AbortController();
  const asked = timedTransport(transportOf(silent), 60_000).fetch("/", { signal: stop.signal });
  stop.abort(new Error("enough"));
  await assertRejects(() => asked, Error, "enough");
});
