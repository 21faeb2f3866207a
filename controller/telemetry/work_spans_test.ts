import { assertEquals, assertNotEquals } from "@std/assert";
import { KubeError } from "@tiphys/kube";
import { nodeSpanId, workflowSpanId } from "@tiphys/model/status";
import { spanOfWork } from "./work_spans.ts";

Deno.test("spanOfWork(): contains the kind of an error, but not its message", () => {
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

Deno.test("spanOfWork(): a part is a child of its piece of work, which is a child of its node", () => {
  const work = {
    workflow: { metadata: { uid: "0123abcd-0000-4000-8000-00000000000f" } },
    nodeId: "w-1",
    began: 1,
    ended: 2,
  };
  const container = spanOfWork({ ...work, name: "run_wait_container", key: "p wait" });
  const part = spanOfWork({ ...work, name: "save_logs", key: "p wait save_logs", partOf: "p wait" });
  assertEquals(part?.parentSpanId, container?.spanId);
  assertEquals(container?.parentSpanId, nodeSpanId(work.workflow.metadata.uid, "w-1"));
  assertNotEquals(part?.spanId, container?.spanId);
});

Deno.test("spanOfWork(): work of a pass is a child of the pass, which is a child of its workflow", () => {
  const work = { workflow: { metadata: { uid: "0123abcd-0000-4000-8000-00000000000f" } }, began: 1, ended: 2 };
  const pass = spanOfWork({ ...work, name: "reconcile_workflow", key: "pass 1" });
  const other = spanOfWork({ ...work, name: "reconcile_workflow", key: "pass 2" });
  const write = spanOfWork({ ...work, name: "persist_updates", partOf: "pass 1" });
  assertEquals(write?.parentSpanId, pass?.spanId);
  assertEquals(pass?.parentSpanId, workflowSpanId(work.workflow.metadata.uid));
  assertNotEquals(other?.spanId, pass?.spanId);
});
