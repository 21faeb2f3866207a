import { assertEquals, assertRejects } from "@std/assert";
import { fakeClock } from "../../lib/base/clock/testing/fake_clock.ts";
import { CODE, WireError } from "./errors.ts";
import { fieldMask } from "./field_mask.ts";
import { streamBody, waitForFirst } from "./streams.ts";

const HOW = {
  mask: fieldMask("result.a"),
  asEvents: false,
  sort: (error: unknown) => new WireError(CODE.notFound, (error as Error).message),
  abort: () => {},
};

Deno.test("streams: an error of the source is the last line, with its code", async () => {
  const source = (async function* () {
    yield [{ a: 1, b: 2 }];
    await Promise.resolve();
    throw new Error("gone");
  })();
  assertEquals(
    await new Response(streamBody(source, HOW)).text(),
    '{"result":{"a":1}}\n{"error":{"grpc_code":5,"http_code":404,"message":"gone","http_status":"Not Found"}}\n',
  );
});

Deno.test("streams: a disconnected client ends a waiting source, and nothing is sent after it", async () => {
  const left = Promise.withResolvers<void>();
  const source = (async function* () {
    yield [{ a: 1 }];
    await left.promise;
  })();
  const reader = streamBody(source, { ...HOW, abort: () => left.resolve() }).getReader();
  await reader.read();
  const next = reader.read();
  await reader.cancel();
  assertEquals((await next).done, true);
});

Deno.test("streams: an idle event stream sends keep-alives, and a stream of lines does not", async () => {
  const left = Promise.withResolvers<void>();
  const silent = async function* () {
    await left.promise;
    yield [{ a: 1 }];
  };
  const read = (asEvents: boolean) =>
    streamBody(silent(), { ...HOW, asEvents, keepAliveMillis: 1, abort: () => left.resolve() })
      .pipeThrough(new TextDecoderStream()).getReader();
  // The timer of keep-alives does not keep the process alive, so this test waits explicitly.
  const awake = setInterval(() => {}, 1_000);
  const [events, lines] = [read(true), read(false)];
  const line = lines.read();
  assertEquals((await events.read()).value, ":\n");
  await events.cancel();
  assertEquals((await line).value, '{"result":{"a":1}}\n');
  await lines.cancel();
  clearInterval(awake);
});

Deno.test("streams: a failure before the first message is an error response, an idle stream opens, and a later failure is sent in the stream", async () => {
  const failing = ReadableStream.from((async function* (): AsyncGenerator<number> {
    yield await Promise.reject(new RangeError("gone"));
  })());
  await assertRejects(() => waitForFirst(failing), RangeError, "gone");
  const clock = fakeClock();
  const first = Promise.withResolvers<number>();
  async function* slow() {
    yield await first.promise;
    throw new RangeError("later");
  }
  const opening = waitForFirst(slow(), clock);
  clock.advance(40);
  const items = (await opening)[Symbol.asyncIterator]();
  first.resolve(7);
  assertEquals(await items.next(), { done: false, value: 7 });
  await assertRejects(() => items.next(), RangeError, "later");
});
