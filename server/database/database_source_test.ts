import { assertEquals, assertRejects } from "@std/assert";
import { SchemaError } from "@tiphys/storage/database/schema_error";
import { silentLog } from "@tiphys/base/log";
import { UserError } from "@tiphys/base/user_error";
import { CODE, WireError } from "../wire/errors.ts";
import { DatabaseSource } from "./database_source.ts";

Deno.test("DatabaseSource: a query times out without affecting others (DB-14)", async () => {
  const opened = { answer: 42, [Symbol.asyncDispose]: () => Promise.resolve() };
  await using source = new DatabaseSource({
    what: "archive",
    open: () => Promise.resolve(opened),
    log: silentLog,
    timeoutMillis: 50,
  });
  const asked = Promise.withResolvers<void>();
  const late = source.query(() => {
    asked.resolve();
    return new Promise<never>(() => {});
  });
  await asked.promise;
  assertEquals(await source.query(({ answer }) => Promise.resolve(answer)), 42);
  const { code, message } = await assertRejects(() => late, WireError);
  assertEquals([code, message], [CODE.deadlineExceeded, "the archive did not answer within 0.05 seconds"]);
  assertEquals(await source.query(({ answer }) => Promise.resolve(answer)), 42);
});

const TROUBLES: Readonly<Record<string, Error>> = {
  "has no tables: the controller creates them at start": new SchemaError("none", { areMissing: true }),
  "has tables of another version: see the server's log for how to migrate them": new SchemaError("old", {
    areMissing: false,
  }),
  "cannot be used: see the server's log for the invalid setting": new UserError("a host that is secret"),
  "cannot be reached": Object.assign(new Error("10.0.0.1"), { name: "DatabaseError", sort: "unreachable" }),
};

for (const [trouble, error] of Object.entries(TROUBLES)) {
  Deno.test(`DatabaseSource: the error for callers is "${trouble}"`, async () => {
    await using source = new DatabaseSource<AsyncDisposable>({
      what: "archive",
      open: () => Promise.reject(error),
      log: silentLog,
    });
    const { code, message } = await assertRejects(() => source.query(() => Promise.resolve()), WireError);
    assertEquals([code, message], [CODE.unavailable, `the archive ${trouble}`]);
  });
}
