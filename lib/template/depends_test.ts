import { assertEquals, assertThrows } from "@std/assert";
import { ancestryOf } from "./ancestry.ts";
import { dagLeaves, dependsLogic, unknownResult } from "./depends.ts";
import { type DependsNode, evaluateDepends } from "./depends_answer.ts";
import { TemplateError } from "./error.ts";

const tasks = [
  { name: "A" },
  { name: "B-1" },
  { name: "C", continueOn: { failed: true, error: true } },
  { name: "and" },
];

function logicOf(depends: string): string {
  return dependsLogic([...tasks, { name: "T", depends }], "T").logic;
}

function evaluate(depends: string, results: Record<string, DependsNode>, children: readonly string[] = []): boolean {
  return evaluateDepends(logicOf(depends), new Map(Object.entries(results)), () => children);
}

Deno.test("a bare task name means succeeded, skipped or daemoned, but not omitted", () => {
  assertEquals(logicOf("A"), "(A.Succeeded || A.Skipped || A.Daemoned)");
  assertEquals(evaluate("A", { A: { phase: "Skipped" } }), true);
  assertEquals(evaluate("A", { A: { phase: "Omitted" } }), false);
});

Deno.test("a failure that a task may continue on counts as its success", () => {
  assertEquals(logicOf("C"), "(C.Succeeded || C.Skipped || C.Daemoned || C.Errored || C.Failed)");
});

Deno.test("dependencies are bare names that must all hold", () => {
  const { logic, dependencies } = dependsLogic([...tasks, { name: "T", dependencies: ["A", "B-1", "A"] }], "T");
  assertEquals(
    logic,
    "(A.Succeeded || A.Skipped || A.Daemoned) && (B-1.Succeeded || B-1.Skipped || B-1.Daemoned) && " +
      "(A.Succeeded || A.Skipped || A.Daemoned)",
  );
  assertEquals(dependencies, ["A", "B-1"]);
});

Deno.test("every word is taken for a task, even one that looks like an operator", () => {
  assertEquals(dependsLogic([...tasks, { name: "T", depends: "A and C" }], "T").dependencies, ["A", "and", "C"]);
  assertThrows(() => logicOf("A or C"), TemplateError, "target or does not exist");
});

Deno.test("a task named with a result is not looked for, one named alone is", () => {
  assertEquals(dependsLogic([...tasks, { name: "T", depends: "nope.Failed || A" }], "T").dependencies, ["nope", "A"]);
  assertThrows(() => logicOf("nope || A"), TemplateError, "target nope does not exist");
});

Deno.test("of two tasks of one name the first counts", () => {
  const twice = [{ name: "A", continueOn: { failed: true } }, { name: "A" }, { name: "T", depends: "A" }];
  assertEquals(dependsLogic(twice, "T").logic, "(A.Succeeded || A.Skipped || A.Daemoned || A.Failed)");
});

Deno.test("a part that can never work fails even where it is not reached", () => {
  const results = { A: { phase: "Succeeded" } };
  assertThrows(() => evaluate("A.Succeeded || A.Succeeded_", results), Error, "has no field Succeeded_");
  assertThrows(() => evaluate("A.Succeeded || +A.Failed", results), Error, "mismatched type bool");
});

Deno.test("a negated bare name negates all it stands for", () => {
  assertEquals(evaluate("!A", { A: { phase: "Failed" } }), true);
  assertEquals(evaluate("!A", { A: { phase: "Succeeded" } }), false);
});

Deno.test("hyphens in task names are no subtraction", () => {
  assertEquals(evaluate("B-1.Failed && A.Succeeded", { "B-1": { phase: "Failed" }, A: { phase: "Succeeded" } }), true);
});

Deno.test("a daemoned task counts once it runs", () => {
  assertEquals(evaluate("A.Daemoned", { A: { phase: "Running", daemoned: true } }), true);
  assertEquals(evaluate("A.Daemoned", { A: { phase: "Pending", daemoned: true } }), false);
});

Deno.test("AnySucceeded and AllFailed look at the children of a loop, and AllFailed counts no errors", () => {
  const loop = { A: { phase: "Failed", type: "TaskGroup" } };
  assertEquals(evaluate("A.AnySucceeded", loop, ["Failed", "Succeeded"]), true);
  assertEquals(evaluate("A.AllFailed", loop, ["Failed", "Failed"]), true);
  assertEquals(evaluate("A.AllFailed", loop, ["Failed", "Error"]), false);
  assertEquals(evaluate("A.AllFailed", loop, []), false);
  assertEquals(evaluate("A.AllFailed", { A: { phase: "Failed", type: "Pod" } }, ["Failed"]), false);
});

Deno.test("an unknown result is named", () => {
  assertEquals(unknownResult("A.Succeeded && A.Foo"), "task result 'Foo' for task 'A' is invalid");
  assertThrows(() => evaluate("A.Foo", { A: { phase: "Failed" } }), TemplateError, "Foo");
});

Deno.test("a condition that makes no sense is an error", () => {
  assertThrows(() => evaluate("A &&", { A: { phase: "Succeeded" } }));
});

Deno.test("leaves are the tasks that no other task waits for, by name", () => {
  assertEquals(dagLeaves([{ name: "z" }, { name: "b", depends: "a.Failed" }, { name: "a" }]), ["b", "z"]);
  assertEquals(dagLeaves([{ name: "a" }, { name: "a" }]), ["a"]);
});

Deno.test("ancestors are all tasks before a task, those that finished last at the end", () => {
  const dag = [{ name: "A" }, { name: "B", depends: "A" }, { name: "C", depends: "A" }, {
    name: "D",
    dependencies: ["B", "C"],
  }];
  const finishedAt: Record<string, string> = {
    A: "2024-01-01T00:00:01Z",
    B: "2024-01-01T00:00:03Z",
    C: "2024-01-01T00:00:02Z",
  };
  assertEquals(ancestryOf(dag, "D", (name) => finishedAt[name]), ["A", "C", "B"]);
  assertEquals(ancestryOf(dag, "A", (name) => finishedAt[name]), []);
});

Deno.test("ancestry ends where tasks wait for each other", () => {
  const dag = [{ name: "A", depends: "B" }, { name: "B", depends: "A" }];
  assertEquals(ancestryOf(dag, "A", () => undefined), ["B"]);
});
