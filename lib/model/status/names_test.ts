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
  nodeIDs,
  nodePath,
  onExitNodeName,
  podName,
  podNameVersion,
  taskName,
  widerNodeID,
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

Deno.test("widerNodeID(): a 64-bit hash of the name, and others for names that share it", () => {
  const name = "custom-job-thbh7[0].custom-job[0].custom-job-main";
  const usual = nodeID("custom-job-thbh7", "custom-job-thbh7[0]");
  assertEquals([usual, nodeID("custom-job-thbh7", name)], [usual, usual]);
  const first = widerNodeID("custom-job-thbh7", name, () => false);
  assertEquals(first, "custom-job-thbh7-5795425801539301076");
  const second = widerNodeID("custom-job-thbh7", name, (id) => id === first);
  assertEquals(second, widerNodeID("custom-job-thbh7", name, (id) => id === first));
  assertEquals([second === first, second.startsWith("custom-job-thbh7-")], [false, true]);
});

Deno.test("nodeIDs(): the first of two names with the same hash has the default ID, the second a wider one", () => {
  const [a, b] = ["c-simulated[0].f(0:a150629)", "c-simulated[0].f(1:b124022)"] as const;
  const usual = nodeID("c-simulated", a);
  const idsOf = (...names: string[]) => [...nodeIDs("c-simulated", names).entries()];
  assertEquals(idsOf(a, "c-simulated", b), [
    [a, usual],
    ["c-simulated", "c-simulated"],
    [b, "c-simulated-5537675420598344176"],
  ]);
  assertEquals(idsOf(b, a, b)[0], [b, usual]);
});

Deno.test("podName(): ends in the hash in the ID of the node, and has room for a wider one", () => {
  const naming = { workflowName: "w", nodeName: "w.a", nodeId: "w-5537675420598344176", templateName: "t" };
  assertEquals(podName({ ...naming, version: "v2" }), "w-t-5537675420598344176");
  assertEquals(podName({ ...naming, version: "v1" }), "w-5537675420598344176");
  const long = podName({ ...naming, templateName: "t".repeat(300), version: "v2" });
  assertEquals([long.length, long.slice(-20)], [253, "-5537675420598344176"]);
  const other = podName({ ...naming, nodeId: "of-another-form", version: "v2" });
  assertEquals(other, podName({ ...naming, nodeId: nodeID("w", "w.a"), version: "v2" }));
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

Deno.test("podName() does not exceed the length of a Kubernetes name", () => {
  const long = "w".repeat(300);
  const name = podName({ workflowName: long, nodeName: "x", templateName: "t", version: "v2" });
  assertEquals(name.startsWith("w".repeat(242) + "-"), true);
  assertEquals(name.length <= 253, true);
});

Deno.test("podNameVersion() is fixed by the annotation", () => {
  assertEquals(podNameVersion("v1", "v2"), "v1");
  assertEquals(podNameVersion("nonsense", "v1"), "v2");
  assertEquals(podNameVersion(undefined, "v1"), "v1");
});

Deno.test("loopNodeName() drops parentheses of the item, so that the index can be read back", () => {
  const name = loopNodeName("step", 2, "f(x)");
  assertEquals(name, "step(2:fx)");
  assertEquals(loopIndex(name), 2);
});

Deno.test("loopIndex() returns -1 for an invalid number", () => {
  for (const name of ["wf.task", "wf.task(0)", "a:b(0)", "a(x:y)", "a(99999999999999999999:x)"]) {
    assertEquals(loopIndex(name), -1, name);
  }
});

Deno.test("taskName() finds the task through attempts, loop indexes and groups", () => {
  assertEquals(taskName("wf[0].fan(0:a.b)(1)[0]"), "fan");
  assertEquals(taskName("wf.task"), "task");
  assertEquals(taskName("wf[0]"), "wf");
});

Deno.test("taskName() returns a name with unbalanced groups unchanged", () => {
  assertEquals(taskName("a)"), "a)");
  assertEquals(taskName("a(b"), "a(b");
});

Deno.test("displayNodeName() omits the boundary and the group", () => {
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

Deno.test("attemptNodeName() appends the number of the attempt, and attemptIndex() parses it", () => {
  assertEquals(attemptNodeName("wf.a(0:x)", 2), "wf.a(0:x)(2)");
  assertEquals(attemptIndex("wf.a(0:x)(2)"), 2);
  assertEquals(withoutAttempt("wf.a(0:x)(2)"), "wf.a(0:x)");
  assertEquals([attemptIndex("wf.a(0:x)"), withoutAttempt("wf.a(0:x)")], [undefined, "wf.a(0:x)"]);
});

Deno.test("withoutAttemptOrHook() returns the node of an attempt, hook or exit handler", () => {
  const names = [attemptNodeName("wf.a", 0), hookNodeName("wf.a", "running"), onExitNodeName("wf.a"), "wf.a"];
  assertEquals(names.map(withoutAttemptOrHook), ["wf.a", "wf.a", "wf.a", "wf.a"]);
  assertEquals(withoutAttemptOrHook("wf.a.hooks.running(1)"), "wf.a.hooks.running");
  assertEquals(names.map(isExitHandler), [false, false, true, false]);
});

Deno.test("loopHolderName() finds the task of a loop's child within its boundary only", () => {
  assertEquals(loopHolderName("wf.outer(0:x).inner(1:y)", "wf.outer(0:x)"), "wf.outer(0:x).inner");
  assertEquals(loopHolderName("wf.outer(0:x).inner", "wf.outer(0:x)"), "wf.outer(0:x).inner");
});

Deno.test("callerOfDisplayName() and nodePath() return the caller and the path of a node", () => {
  assertEquals(["fan(1:b)", "fan(1:b)(0)", "fan", undefined].map(callerOfDisplayName), ["fan", "fan", "fan", ""]);
  assertEquals(nodePath(memberNodeName(groupNodeName("wf", 0), "print"), "wf"), "[0].print");
  assertEquals([nodePath("wf.a", "wf"), nodePath("wf", "wf"), nodePath("other", "wf")], ["a", "wf", "other"]);
});
