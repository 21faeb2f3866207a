import { assertEquals } from "@std/assert";
import type { Workflow } from "@tiphys/model/api";
import { junitReport } from "./junit_report.ts";

Deno.test("JUnit report: a case for the last attempt of each step, with failures, errors and skipped steps", async () => {
  const node = (id: string, fields: object) => [id, { id, name: `w.${id}`, type: "Pod", templateName: "t", ...fields }];
  const [startedAt, finishedAt] = ["2026-01-01T00:00:00Z", "2026-01-01T00:00:02Z"];
  const nodes = Object.fromEntries([
    node("dag", { type: "DAG", phase: "Failed", name: "w" }),
    node("good", { phase: "Succeeded", startedAt, finishedAt }),
    node("retried", { type: "Retry", phase: "Succeeded", children: ["retried(0)", "retried(1)"] }),
    node("retried(0)", { phase: "Failed" }),
    node("retried(1)", { phase: "Succeeded" }),
    node("bad", { phase: "Failed", message: '<"a" & \x1bb>' }),
    node("lost", { phase: "Error" }),
    node("left", { type: "Skipped", phase: "Skipped" }),
  ]);
  const workflow = { metadata: { name: "w" }, spec: {}, status: { phase: "Failed", nodes } } as unknown as Workflow;
  assertEquals(
    await junitReport([workflow], (_, { id }) => Promise.resolve(id === "bad" ? ["a < b", "\x1b[31mred\x1b[0m"] : [])),
    `<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite name="w" tests="5" failures="1" errors="1" skipped="1" time="0.000">
    <testcase name="good" classname="t" time="2.000"/>
    <testcase name="retried(1)" classname="t" time="0.000"/>
    <testcase name="bad" classname="t" time="0.000"><failure message="&lt;&quot;a&quot; &amp; \ufffdb>" type="Failed">a &lt; b
red
</failure></testcase>
    <testcase name="lost" classname="t" time="0.000"><error message="Error" type="Error"/></testcase>
    <testcase name="left" classname="t" time="0.000"><skipped/></testcase>
  </testsuite>
</testsuites>
`,
  );
});

Deno.test("JUnit report: a workflow that failed without a failed step is a case", async () => {
  const status = { phase: "Failed", message: "deadline exceeded" };
  const workflow = { metadata: { name: "w" }, spec: {}, status } as unknown as Workflow;
  const report = await junitReport([workflow], () => Promise.resolve([]));
  assertEquals(
    /<testcase.*/.exec(report)?.[0],
    '<testcase name="w" classname="w"><failure message="deadline exceeded" type="Failed"/></testcase>',
  );
});
