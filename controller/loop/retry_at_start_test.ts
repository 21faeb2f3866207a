import { assertEquals, assertRejects } from "@std/assert";
import { KubeError } from "@tiphys/kube";
import { silentLog } from "@tiphys/base/log";
import { retryAtStart } from "./retry_at_start.ts";

const options = { what: "ask", log: silentLog, signal: new AbortController().signal };

Deno.test("retryAtStart(): retries after transient errors and missing permissions", async () => {
  const errors = [
    new KubeError("", { status: 500, reason: "InternalError" }),
    new KubeError(`x is forbidden: User "a" cannot list x`, { status: 403, reason: "Forbidden" }),
  ];
  const answer = await retryAtStart(() => {
    const error = errors.shift();
    return error ? Promise.reject(error) : Promise.resolve("here");
  }, options);
  assertEquals([answer, errors.length], ["here", 0]);
});

Deno.test("retryAtStart(): stops at a permanent error, and when it is aborted", async () => {
  await assertRejects(() => retryAtStart(() => Promise.reject(new KubeError("", { status: 422 })), options), KubeError);
  const stop = new AbortController();
  await assertRejects(
    () =>
      retryAtStart(() => {
        stop.abort(new Error("stopped"));
        return Promise.reject(new KubeError("", { status: 503 }));
      }, { ...options, signal: stop.signal }),
    Error,
    "stopped",
  );
});
