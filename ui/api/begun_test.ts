import { assert, assertEquals, assertRejects } from "@std/assert";
import { begunAnswer, begunStream } from "./begun.ts";

Deno.test("begunAnswer: starts the request before the response is taken", async () => {
  let asked = 0;
  const one = begunAnswer(() => Promise.resolve(++asked));
  assertEquals(asked, 1);
  assertEquals(await one.taken(), 1);
});

Deno.test("begunAnswer: is canceled by the signal of the caller, or by drop()", async () => {
  const signals: AbortSignal[] = [];
  const ask = (signal: AbortSignal) => {
    signals.push(signal);
    return new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
  };
  const reader = new AbortController();
  const taken = begunAnswer(ask).taken(reader.signal);
  reader.abort(new Error("left"));
  await assertRejects(() => taken, Error, "left");
  begunAnswer(ask).drop();
  assert(signals.every(({ aborted }) => aborted));
});

Deno.test("begunAnswer: is canceled if the signal of the caller is already aborted", async () => {
  const answer = begunAnswer((signal) =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)))
  ).taken(AbortSignal.abort(new Error("left")));
  await assertRejects(() => answer, Error, "left");
});

Deno.test("begunStream: reads the first item, then continues with the rest", async () => {
  const read: number[] = [];
  async function* numbers() {
    for (let at = 1; at <= 3; at++) {
      read.push(at);
      yield at;
    }
  }
  const one = begunStream(numbers);
  assertEquals(read, [1]);
  assertEquals(await Array.fromAsync(one.taken()), [1, 2, 3]);
});

Deno.test("begunAnswer: the caller that takes the response receives a refusal", async () => {
  const refused = () => Promise.reject(new Error("no"));
  const answer = begunAnswer(refused);
  // deno-lint-ignore require-yield -- it fails before its first value
  const stream = begunStream(async function* (): AsyncGenerator<number> {
    await refused();
  });
  await assertRejects(() => answer.taken(), Error, "no");
  await assertRejects(() => Array.fromAsync(stream.taken()), Error, "no");
});
