import { assertEquals } from "@std/assert";
import type { NodeStatus } from "@tiphys/model/api";
import { approval, sampleNode, sampleRun, waitingRun } from "../../testing/objects.ts";
import {
  answerOf,
  fieldsOfStep,
  isAnswered,
  needsAnswer,
  resumeRun,
  type StepAnswer,
  waitingSteps,
} from "./resume_run.ts";

const gate = sampleNode("gate", "Running", { type: "Suspend", templateName: "gate" });
const SET = {
  verb: "set",
  nodeFieldSelector: "id=id-approve",
  outputParameters: '{"answer":"YES"}',
} as const;
const RESUME = { verb: "resume", nodeFieldSelector: "id=id-approve" } as const;

Deno.test("waitingSteps: lists running suspend nodes of a run", () => {
  const passed = { ...gate, id: "passed", phase: "Succeeded" as const };
  assertEquals(waitingSteps(waitingRun(gate, passed)).map(({ id }) => id), ["id-gate"]);
  assertEquals([needsAnswer(gate), needsAnswer(approval("approve"))], [false, true]);
});

Deno.test("fieldsOfStep: choices, default and description come from the input of the same name", () => {
  const { outputs, ...step } = approval("approve");
  const [{ description: _, ...output } = { name: "" }] = outputs?.parameters ?? [];
  assertEquals(fieldsOfStep({ ...step, outputs: { parameters: [output] } }), [
    { name: "answer", usual: "NO", choices: ["YES", "NO"], description: "Deploy to production?" },
  ]);
});

Deno.test("isAnswered: a default is not an answer until a person chooses it", () => {
  const field = { name: "a", usual: undefined, choices: undefined, description: "" };
  const choices = ["YES", "NO"];
  const rows = [
    [{ ...field, choices }, { untouched: false, empty: false, value: true }],
    [{ ...field, choices, usual: "NO" }, { untouched: false, empty: false, value: true }],
    [{ ...field, choices: ["", "NO"], usual: "" }, { untouched: false, empty: true, value: true }],
    [field, { untouched: false, empty: false, value: true }],
    [{ ...field, usual: "later" }, { untouched: false, empty: true, value: true }],
    [{ ...field, usual: "" }, { untouched: true, empty: true, value: true }],
  ] as const;
  for (const [parameter, expected] of rows) {
    const answered = {
      untouched: isAnswered([parameter], {}),
      empty: isAnswered([parameter], { a: "" }),
      value: isAnswered([parameter], { a: "NO" }),
    };
    assertEquals(answered, expected, JSON.stringify(parameter));
  }
  assertEquals(answerOf(fieldsOfStep(approval("approve")), { answer: "YES" }), { answer: "YES" });
});

Deno.test("resumeRun: selects each step by ID, so that steps that started to wait later are not resumed", () => {
  const run = waitingRun(approval("approve"), gate);
  assertEquals(resumeRun(run, new Map<string, StepAnswer>([["id-approve", { answer: "YES" }], ["id-gate", {}]])), [
    SET,
    RESUME,
    { verb: "resume", nodeFieldSelector: "id=id-gate" },
  ]);
  assertEquals(resumeRun(run, new Map()), []);
});

Deno.test("resumeRun: a suspended run is resumed after its steps, and only when all of them are named", () => {
  const held = (...nodes: readonly NodeStatus[]) => {
    const run = waitingRun(...nodes);
    return { ...run, spec: { ...run.spec, suspend: true } };
  };
  assertEquals(resumeRun(held(), new Map()), [{ verb: "resume" }]);
  assertEquals(resumeRun(held(approval("approve")), new Map([["id-approve", { answer: "YES" }]])), [
    SET,
    RESUME,
    { verb: "resume" },
  ]);
  assertEquals(resumeRun(held(approval("approve"), gate), new Map([["id-approve", { answer: "YES" }]])), [SET, RESUME]);
});

Deno.test("resumeRun: returns no requests for a run that does not wait", () => {
  assertEquals(resumeRun(sampleRun({ phase: "Running" }), new Map()), []);
});
