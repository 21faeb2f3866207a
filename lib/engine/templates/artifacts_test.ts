import { assertEquals, assertThrows } from "@std/assert";
import type { Artifact } from "@tiphys/model/api";
import { UserError } from "@tiphys/base/user_error";
import { resolveArtifact } from "./artifacts.ts";
import { Scope } from "./scope.ts";

const made: Artifact = { name: "out", s3: { key: "a/b" } };

function chosen(fromExpression: string): Artifact | undefined {
  const scope = new Scope();
  scope.artifacts.set("steps.make.outputs.artifacts.out", made);
  return resolveArtifact({ name: "in", fromExpression }, scope);
}

Deno.test("fromExpression gives the artifact that it names as it is, and one that it makes as it says", () => {
  assertEquals(chosen("steps.make.outputs.artifacts.out"), made);
  assertEquals(chosen("{'name': 'x', 's3': {'key': 'k'}, 'mode': 420}"), { name: "x", s3: { key: "k" }, mode: 420 });
});

Deno.test("fromExpression that gives something with a name that is no artifact is refused with the place", () => {
  for (
    const [expression, place] of [
      ["{'name': 7}", "name: expected string, got 7"],
      ["{'name': 'x', 's3': 'bucket'}", "s3: expected object"],
      ["{'name': 'x', 's3': {'key': 5}}", "s3.key: expected string, got 5"],
    ] as const
  ) {
    assertThrows(() => chosen(expression), UserError, place);
  }
});

Deno.test("a part of an artifact is not said to have the digest and the size of the whole", () => {
  const scope = new Scope();
  const whole: Artifact = { ...made, digest: "sha256:00", size: 7, objects: 2 };
  scope.artifacts.set("steps.make.outputs.artifacts.out", whole);
  const taken = (subPath?: string) =>
    resolveArtifact(
      { name: "in", from: "{{steps.make.outputs.artifacts.out}}", ...(subPath ? { subPath } : {}) },
      scope,
    );
  assertEquals(taken(), whole);
  assertEquals(taken("c"), { name: "out", s3: { key: "a/b/c" } });
});
