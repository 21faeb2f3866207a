import { assertEquals, assertThrows } from "@std/assert";
import { ancestryOf } from "./ancestry.ts";
import { dagLeaves, dependsLogic, unknownResult } from "./depends.ts";
import { type DependsNode, evaluateDepends } from "./evaluate_depends.ts";
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

Deno.test("depends: a bare task name means succeeded, skipped or daemoned, but not omitted", () => {
  assertEquals(logicOf("A"), "(A.Succeeded || A.Skipped || A.Daemoned)");
  assertEquals(evaluate("A", { A: { phase: "Skipped" } }), true);
  assertEquals(evaluate("A", { A: { phase: "Omitted" } }), false);
});

Deno.test("depends: a failure that `continueOn` accepts counts as success", () => {
  assertEquals(logicOf("C"), "(C.Succeeded || C.Skipped || C.Daemoned || C.Errored || C.Failed)");
});

Deno.test("dependencies: all named tasks must have succeeded", () => {
  const { logic, dependencies } = dependsLogic([...tasks, { name: "T", dependencies: ["A", "B-1", "A"] }], "T");
  assertEquals(
    logic,
    "(A.Succeeded || A.Skipped || A.Daemoned) && (B-1.Succeeded || B-1.Skipped || B-1.Daemoned) && " +
      "(A.Succeeded || A.Skipped || A.Daemoned)",
  );
  assertEquals(dependencies, ["A", "B-1"]);
});

Deno.test("depends: every word is a task name, even one that looks like an operator", () => {
  assertEquals(dependsLogic([...tasks, { name: "T", depends: "A and C" }], "T").dependencies, ["A", "and", "C"]);
  assertThrows(() => logicOf("A or C"), TemplateError, "target or does not exist");
});

Deno.test("dependsLogic: rejects an unknown task name, but accepts it with a result such as `.Failed`", () => {
  assertEquals(dependsLogic([...tasks, { name: "T", depends: "nope.Failed || A" }], "T").dependencies, ["nope", "A"]);
  assertThrows(() => logicOf("nope || A"), TemplateError, "target nope does not exist");
});

Deno.test("depends: uses the first of two tasks with the same name", () => {
  const twice = [{ name: "A", continueOn: { failed: true } }, { name: "A" }, { name: "T", depends: "A" }];
  assertEquals(dependsLogic(twice, "T").logic, "(A.Succeeded || A.Skipped || A.Daemoned || A.Failed)");
});

Deno.test("depends: an invalid part fails even if it is not reached", () => {
  const results = { A: { phase: "Succeeded" } };
  assertThrows(() => evaluate("A.Succeeded || A.Succeeded_", results), Error, "has no field Succeeded_");
  assertThrows(() => evaluate("A.Succeeded || +A.Failed", results), Error, "mismatched type bool");
});

Deno.test("depends: negating a bare name negates its whole expansion", () => {
  assertEquals(evaluate("!A", { A: { phase: "Failed" } }), true);
  assertEquals(evaluate("!A", { A: { phase: "Succeeded" } }), false);
});

Deno.test("depends: a hyphen in a task name is not a subtraction", () => {
  assertEquals(evaluate("B-1.Failed && A.Succeeded", { "B-1": { phase: "Failed" }, A: { phase: "Succeeded" } }), true);
});

Deno.test("depends: a daemoned task counts as soon as it runs", () => {
  assertEquals(evaluate("A.Daemoned", { A: { phase: "Running", daemoned: true } }), true);
  assertEquals(evaluate("A.Daemoned", { A: { phase: "Pending", daemoned: true } }), false);
});

Deno.test("depends: AnySucceeded and AllFailed check the children of a loop; errors do not count as failures", () => {
  const loop = { A: { phase: "Failed", type: "TaskGroup" } };
  assertEquals(evaluate("A.AnySucceeded", loop, ["Failed", "Succeeded"]), true);
  assertEquals(evaluate("A.AllFailed", loop, ["Failed", "Failed"]), true);
  assertEquals(evaluate("A.AllFailed", loop, ["Failed", "Error"]), false);
  assertEquals(evaluate("A.AllFailed", loop, []), false);
  assertEquals(evaluate("A.AllFailed", { A: { phase: "Failed", type: "Pod" } }, ["Failed"]), false);
});

Deno.test("depends: an unknown result fails with an error that names it", () => {
  assertEquals(unknownResult("A.Succeeded && A.Foo"), "task result 'Foo' for task 'A' is invalid");
  assertThrows(() => evaluate("A.Foo", { A: { phase: "Failed" } }), TemplateError, "Foo");
});

Deno.test("depends: a malformed condition is an error", () => {
  assertThrows(() => evaluate("A &&", { A: { phase: "Succeeded" } }));
});

Deno.test("dagLeaves: returns the tasks that no other task depends on, sorted by name", () => {
  assertEquals(dagLeaves([{ name: "z" }, { name: "b", depends: "a.Failed" }, { name: "a" }]), ["b", "z"]);
  assertEquals(dagLeaves([{ name: "a" }, { name: "a" }]), ["a"]);
});

Deno.test("ancestryOf: returns all tasks before a task, those that finished last at the end", () => {
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

Deno.test("ancestryOf: terminates when tasks depend on each other", () => {
  const dag = [{ name: "A", depends: "B" }, { name: "B", depends: "A" }];
  assertEquals(ancestryOf(dag, "A", () => undefined), ["B"]);
});
