import { assertEquals, assertRejects } from "@std/assert";
import { KubeError } from "@tiphys/kube";
import { silentLog } from "@tiphys/base/log";
import { persist } from "./persist.ts";

const options = { what: "ask", log: silentLog, signal: new AbortController().signal };

Deno.test("persist() tries again what the world's trouble or a missing right kept from succeeding", async () => {
  const errors = [
    new KubeError("", { status: 500, reason: "InternalError" }),
    new KubeError(`x is forbidden: User "a" cannot list x`, { status: 403, reason: "Forbidden" }),
  ];
  const answer = await persist(() => {
    const error = errors.shift();
    return error ? Promise.reject(error) : Promise.resolve("here");
  }, options);
  assertEquals([answer, errors.length], ["here", 0]);
});

Deno.test("persist() gives up what is wrong by itself, and what nobody waits for any more", async () => {
  await assertRejects(() => persist(() => Promise.reject(new KubeError("", { status: 422 })), options), KubeError);
  const stop = new AbortController();
  await assertRejects(
    () =>
      persist(() => {
        stop.abort(new Error("stopped"));
        return Promise.reject(new KubeError("", { status: 503 }));
      }, { ...options, signal: stop.signal }),
    Error,
    "stopped",
  );
});
