import { assertEquals } from "@std/assert";
import {
  attemptIndex,
  attemptNodeName,
  backfillPrefix,
  callerOfDisplayName,
  cronChildName,
  displayNodeName,
  groupNodeName,
  hookNodeName,
  isExitHandler,
  loopHolderName,
  loopIndex,
  loopNodeName,
  memberNodeName,
  nodeID,
  nodePath,
  onExitNodeName,
  podName,
  podNameVersion,
  taskName,
  withoutAttempt,
  withoutAttemptOrHook,
} from "./names.ts";

Deno.test("nodeID() is the workflow's name for the root", () => {
  assertEquals(nodeID("hello", "hello"), "hello");
});

Deno.test("nodeID() hashes the bytes of the node's name", () => {
  assertEquals(nodeID("hello", "hello[0].print"), "hello-3394305530");
  assertEquals(nodeID("hello", "hello.A(0:foo)"), "hello-4125433195");
  assertEquals(nodeID("hello", "hello.onExit"), "hello-3061418610");
});

Deno.test("podName() of version 1 is the node id", () => {
  const naming = { workflowName: "hello", nodeName: "hello[0].print", templateName: "echo", version: "v1" } as const;
  assertEquals(podName(naming), nodeID("hello", "hello[0].print"));
});

Deno.test("podName() of version 2 has the template's name and the same hash", () => {
  const naming = { workflowName: "hello", nodeName: "hello[0].print", templateName: "echo", version: "v2" } as const;
  assertEquals(podName(naming), "hello-echo-3394305530");
  assertEquals(podName({ ...naming, nodeName: "hello" }), "hello");
  assertEquals(podName({ ...naming, templateName: "" }), "hello-3394305530");
});

Deno.test("podName() never grows beyond a Kubernetes name", () => {
  const long = "w".repeat(300);
  const name = podName({ workflowName: long, nodeName: "x", templateName: "t", version: "v2" });
  assertEquals(name.startsWith("w".repeat(242) + "-"), true);
  assertEquals(name.length <= 253, true);
});

Deno.test("podNameVersion() lets the annotation freeze the version", () => {
  assertEquals(podNameVersion("v1", "v2"), "v1");
  assertEquals(podNameVersion("nonsense", "v1"), "v2");
  assertEquals(podNameVersion(undefined, "v1"), "v1");
});

Deno.test("loopNodeName() drops parentheses of the item, so that the index can be read back", () => {
  const name = loopNodeName("step", 2, "f(x)");
  assertEquals(name, "step(2:fx)");
  assertEquals(loopIndex(name), 2);
});

Deno.test("loopIndex() finds none where the number is none", () => {
  for (const name of ["wf.task", "wf.task(0)", "a:b(0)", "a(x:y)", "a(99999999999999999999:x)"]) {
    assertEquals(loopIndex(name), -1, name);
  }
});

Deno.test("taskName() finds the task through attempts, loop indexes and groups", () => {
  assertEquals(taskName("wf[0].fan(0:a.b)(1)[0]"), "fan");
  assertEquals(taskName("wf.task"), "task");
  assertEquals(taskName("wf[0]"), "wf");
});

Deno.test("taskName() leaves a name alone whose groups do not match", () => {
  assertEquals(taskName("a)"), "a)");
  assertEquals(taskName("a(b"), "a(b");
});

Deno.test("displayNodeName() leaves out the boundary and the group", () => {
  assertEquals(displayNodeName("wf[0].print", "wf"), "print");
  assertEquals(displayNodeName("wf.A(0:x)", "wf"), "A(0:x)");
  assertEquals(displayNodeName("wf", undefined), "wf");
});

Deno.test("cronChildName() is the same for the same instant", () => {
  assertEquals(cronChildName("c", new Date("2024-01-02T03:04:00Z")), "c-1704164640");
  assertEquals(cronChildName("c", new Date("2024-01-02T05:04:00+02:00")), "c-1704164640");
});

Deno.test("backfillPrefix() leaves room for a generated suffix", () => {
  assertEquals(backfillPrefix("cron", "MyOp"), "cron-backfill-myop");
  assertEquals(backfillPrefix("c".repeat(300), "op").length, 242);
  assertEquals(backfillPrefix("é".repeat(150), "op"), "é".repeat(121));
  assertEquals(backfillPrefix("\u{1F600}".repeat(150), "op"), "\u{1F600}".repeat(60) + "\ufffd\ufffd");
});

Deno.test("an attempt's name is its Retry node's with the number of the attempt, and is read back", () => {
  assertEquals(attemptNodeName("wf.a(0:x)", 2), "wf.a(0:x)(2)");
  assertEquals(attemptIndex("wf.a(0:x)(2)"), 2);
  assertEquals(withoutAttempt("wf.a(0:x)(2)"), "wf.a(0:x)");
  assertEquals([attemptIndex("wf.a(0:x)"), withoutAttempt("wf.a(0:x)")], [undefined, "wf.a(0:x)"]);
});

Deno.test("withoutAttemptOrHook() leads from an attempt, a hook and an exit handler to their node", () => {
  const names = [attemptNodeName("wf.a", 0), hookNodeName("wf.a", "running"), onExitNodeName("wf.a"), "wf.a"];
  assertEquals(names.map(withoutAttemptOrHook), ["wf.a", "wf.a", "wf.a", "wf.a"]);
  assertEquals(withoutAttemptOrHook("wf.a.hooks.running(1)"), "wf.a.hooks.running");
  assertEquals(names.map(isExitHandler), [false, false, true, false]);
});

Deno.test("loopHolderName() finds the task of a loop's child within its boundary only", () => {
  assertEquals(loopHolderName("wf.outer(0:x).inner(1:y)", "wf.outer(0:x)"), "wf.outer(0:x).inner");
  assertEquals(loopHolderName("wf.outer(0:x).inner", "wf.outer(0:x)"), "wf.outer(0:x).inner");
});

Deno.test("callerOfDisplayName() and nodePath() say whose a node is, and where it stands", () => {
  assertEquals(["fan(1:b)", "fan(1:b)(0)", "fan", undefined].map(callerOfDisplayName), ["fan", "fan", "fan", ""]);
  assertEquals(nodePath(memberNodeName(groupNodeName("wf", 0), "print"), "wf"), "[0].print");
  assertEquals([nodePath("wf.a", "wf"), nodePath("wf", "wf"), nodePath("other", "wf")], ["a", "wf", "other"]);
});
