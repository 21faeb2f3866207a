import { assert, assertEquals, assertRejects } from "@std/assert";
import { startRequest, startStream } from "./started_request.ts";

Deno.test("startRequest: starts the request before the response is taken", async () => {
  let asked = 0;
  const request = startRequest(() => Promise.resolve(++asked));
  assertEquals(asked, 1);
  assertEquals(await request.take(), 1);
});

Deno.test("startRequest: is canceled by the signal of the caller, or by cancel()", async () => {
  const signals: AbortSignal[] = [];
  const ask = (signal: AbortSignal) => {
    signals.push(signal);
    return new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  };
  const reader = new AbortController();
  const taken = startRequest(ask).take(reader.signal);
  reader.abort(new Error("left"));
  await assertRejects(() => taken, Error, "left");
  startRequest(ask).cancel();
  assert(signals.every(({ aborted }) => aborted));
});

Deno.test("startRequest: is canceled if the signal of the caller is already aborted", async () => {
  const answer = startRequest((signal) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
  ).take(AbortSignal.abort(new Error("left")));
  await assertRejects(() => answer, Error, "left");
});

Deno.test("startStream: reads the first item, then continues with the rest", async () => {
  const read: number[] = [];
  async function* numbers() {
    for (let index = 1; index <= 3; index++) {
      read.push(index);
      yield index;
    }
  }
  const request = startStream(numbers);
  assertEquals(read, [1]);
  assertEquals(await Array.fromAsync(request.take()), [1, 2, 3]);
});

Deno.test("startRequest: the caller that takes the response receives a refusal", async () => {
  const refused = () => Promise.reject(new Error("no"));
  const answer = startRequest(refused);
  // deno-lint-ignore require-yield -- it fails before its first value
  const stream = startStream(async function* (): AsyncGenerator<number> {
    await refused();
  });
  await assertRejects(() => answer.take(), Error, "no");
  await assertRejects(() => Array.fromAsync(stream.take()), Error, "no");
});
