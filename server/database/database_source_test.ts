import { assertEquals, assertRejects } from "@std/assert";
import { silentLog } from "../../lib/log.ts";
import { CODE, WireError } from "../wire/errors.ts";
import { DatabaseSource } from "./database_source.ts";

Deno.test("a question that takes too long ends by itself, and others are answered meanwhile and afterwards (DB-14)", async () => {
  const opened = { answer: 42, [Symbol.asyncDispose]: () => Promise.resolve() };
  await using source = new DatabaseSource({
    what: "archive",
    open: () => Promise.resolve(opened),
    log: silentLog,
    longestMillis: 50,
  });
  const asked = Promise.withResolvers<void>();
  const late = source.ask(() => {
    asked.resolve();
    return new Promise<never>(() => {});
  });
  await asked.promise;
  assertEquals(await source.ask(({ answer }) => Promise.resolve(answer)), 42);
  const { code, message } = await assertRejects(() => late, WireError);
  assertEquals([code, message], [CODE.deadlineExceeded, "the archive did not answer within 0.05 seconds"]);
  assertEquals(await source.ask(({ answer }) => Promise.resolve(answer)), 42);
});
