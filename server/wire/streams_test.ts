import { assertEquals } from "@std/assert";
import { CODE, WireError } from "./errors.ts";
import { fieldMask } from "./field_mask.ts";
import { streamBody } from "./streams.ts";

const HOW = {
  mask: fieldMask("result.a"),
  asEvents: false,
  sort: (error: unknown) => new WireError(CODE.notFound, (error as Error).message),
  abort: () => {},
};

Deno.test("a source that fails is told as the last line, with its code", async () => {
  const source = (async function* () {
    yield { a: 1, b: 2 };
    await Promise.resolve();
    throw new Error("gone");
  })();
  assertEquals(
    await new Response(streamBody(source, HOW)).text(),
    '{"result":{"a":1}}\n{"error":{"grpc_code":5,"http_code":404,"message":"gone","http_status":"Not Found"}}\n',
  );
});

Deno.test("a client that leaves while its source waits ends the source, and nothing is said after it", async () => {
  const left = Promise.withResolvers<void>();
  const source = (async function* () {
    yield { a: 1 };
    await left.promise;
  })();
  const reader = streamBody(source, { ...HOW, abort: () => left.resolve() }).getReader();
  await reader.read();
  const next = reader.read();
  await reader.cancel();
  assertEquals((await next).done, true);
});
