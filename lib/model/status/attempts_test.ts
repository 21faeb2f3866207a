import { assertEquals } from "@std/assert";
import { type AttemptChild, attemptsOf, lastAttempt } from "./attempts.ts";

type Child = AttemptChild & { readonly name: string };

function attemptNames(...children: readonly Child[]) {
  const retry = { name: "w.a", type: "Retry", children: children.map(({ name }) => name) };
  const nodes = new Map(children.map((child) => [child.name, child]));
  return [attemptsOf(retry, nodes).map(({ name }) => name), lastAttempt(retry, nodes)?.name];
}

const next = { name: "w.b" };
const hook = { name: "w.a.onExit", nodeFlag: { hooked: true } };

Deno.test("attemptsOf(): returns neither hooks nor nodes after the Retry node", () => {
  const attempt = (number: number) => ({ name: `w.a(${number})`, nodeFlag: { retried: true } });
  assertEquals(attemptNames(attempt(0), hook, attempt(1), next), [["w.a(0)", "w.a(1)"], "w.a(1)"]);
});

Deno.test("attemptsOf(): finds attempts by name in a status of Argo before 3.5, which has no flags", () => {
  assertEquals(attemptNames({ name: "w.a(0)" }, { name: "w.a(1)" }, next), [["w.a(0)", "w.a(1)"], "w.a(1)"]);
});

Deno.test("lastAttempt(): ignores nodes after a call without an attempt", () => {
  assertEquals(attemptNames(next, hook, { name: "w.ab(0)", nodeFlag: {} }), [[], undefined]);
});

Deno.test("attemptsOf(): the items of a loop are not attempts, although their names look like those of attempts", () => {
  const group = { name: "w.a", type: "TaskGroup", children: ["w.a(0:x)"] };
  assertEquals(attemptsOf(group, new Map([["w.a(0:x)", { name: "w.a(0:x)" }]])), []);
});
