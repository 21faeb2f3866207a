import { assertEquals } from "@std/assert";
import {
  approval,
  failedRun,
  runningRun,
  sampleNode,
  sampleRun,
  succeededRun,
  waitingRun,
} from "../../testing/objects.ts";
import { answerOf } from "./answer.ts";

function answerText(...args: Parameters<typeof answerOf>): unknown {
  const answer = answerOf(...args);
  switch (answer?.kind) {
    case "failure":
      return [answer.node.id, answer.pod?.id, answer.cause.text];
    case "progress":
      return [answer.count, ...answer.nodes.map(({ id }) => id)];
    case "outputs":
      return [answer.parameters.length, answer.artifactCount, ...answer.artifacts.map(({ name }) => name)];
  }
}

Deno.test("answerOf: the phase of the run decides", () => {
  assertEquals(answerText(failedRun), ["id-load", "id-load", "exit code 3: two rows have no id"]);
  assertEquals(answerText(runningRun), [2, "id-load", "id-report"]);
  assertEquals(answerText(succeededRun), undefined);
  assertEquals(answerText(waitingRun(approval("approve"))), undefined);
  assertEquals(answerText(sampleRun({ phase: "Pending" })), [0]);
  assertEquals(answerText(sampleRun({ phase: "Running", spec: { suspend: true } })), undefined);
  assertEquals(answerText(sampleRun({ phase: "Failed" })), ["hello", undefined, ""]);
});

Deno.test("answerOf: a chosen node is the subject if it failed", () => {
  const { nodes = {} } = failedRun.status ?? {};
  assertEquals(answerText(failedRun, nodes["id-extract"]), undefined);
  assertEquals(answerText(failedRun, nodes["id-load"]), ["id-load", "id-load", "exit code 3: two rows have no id"]);
});

Deno.test("answerOf: shows the last failed one of several attempts", () => {
  const attempt = (name: string, phase: string) =>
    sampleNode(name, phase, { nodeFlag: { retried: true }, message: name });
  const retry = (...phases: string[]) => {
    const attempts = phases.map((phase, i) => attempt(`load(${i})`, phase));
    const children = attempts.map(({ id }) => id);
    return sampleRun({
      phase: "Failed",
      nodes: [sampleNode("load", phases.at(-1)!, { type: "Retry", children }), ...attempts],
    });
  };
  assertEquals(answerText(retry("Failed", "Failed")), ["id-load(1)", "id-load(1)", "load(1)"]);
  const recovered = retry("Failed", "Succeeded");
  assertEquals(answerText(recovered, recovered.status?.nodes?.["id-load(0)"]), ["id-load(0)", "id-load(0)", "load(0)"]);
});

Deno.test("answerOf: outputs are those of the entrypoint, and global ones", () => {
  const run = sampleRun({
    status: { outputs: { parameters: [{ name: "rows", value: "1" }, { name: "day", value: "2" }] } },
  });
  const root = run.status!.nodes!.hello!;
  root.outputs = { parameters: [{ name: "rows", value: "18401" }, { name: "file", value: "x" }] };
  const answer = answerOf(run);
  assertEquals(answer?.kind === "outputs" && answer.parameters.map(({ name, value }) => [name, value]), [
    ["rows", "18401"],
    ["file", "x"],
    ["day", "2"],
  ]);
});

Deno.test("answerOf: artifacts of the last node are first, in their order", () => {
  const node = (name: string, second: number, ...names: readonly string[]) =>
    sampleNode(name, "Succeeded", {
      startedAt: `2026-03-04T11:00:0${second}Z`,
      outputs: { artifacts: names.map((name) => ({ name, s3: { key: name } })) },
    });
  const nodes = [node("extract", 1, "raw"), node("report", 2, "table", "plot")];
  assertEquals(answerText(sampleRun({ nodes })), [0, 3, "table", "plot", "raw"]);
});

Deno.test("answerOf: lists are bounded, the longest running and the last artifacts first", () => {
  const pods = (phase: string, fields: Parameters<typeof sampleNode>[2]) =>
    Array.from(
      { length: 20 },
      (_, i) => sampleNode(`n${i}`, phase, { ...fields, startedAt: `2026-03-04T11:00:${59 - i}Z` }),
    );
  const running = answerText(sampleRun({ phase: "Running", nodes: pods("Running", {}) })) as unknown[];
  assertEquals([running.length, ...running.slice(0, 2)], [9, 20, "id-n19"]);
  const artifacts = ["main-logs", "report"].map((name) => ({ name, s3: { key: name } }));
  assertEquals(answerText(sampleRun({ nodes: pods("Succeeded", { outputs: { artifacts } }) })), [
    0,
    20,
    ...Array.from({ length: 8 }, () => "report"),
  ]);
});
