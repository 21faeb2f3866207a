import { assertEquals } from "@std/assert";
import { KubeError } from "../../lib/kube/mod.ts";
import { spanOfWork } from "./work_spans.ts";

Deno.test("spanOfWork() tells the sort of an error, and never its message", () => {
  const workflow = { metadata: { uid: "0123abcd-0000-4000-8000-00000000000f" } };
  const trouble = (error?: unknown) => {
    const span = spanOfWork({ name: "persist_updates", workflow, began: 1, ended: 2, error });
    return span?.status;
  };
  const denied = new KubeError('pods is forbidden: "hunter2"', { status: 403, reason: "Forbidden" });
  assertEquals(trouble(denied), { code: 2, message: "invalid: 403 Forbidden" });
  assertEquals(trouble(new KubeError("hunter2", { status: 503 })), { code: 2, message: "transient: 503" });
  assertEquals(trouble(new Error("hunter2")), { code: 2, message: "fatal" });
  assertEquals(trouble(), { code: 1 });
});
