import { assertEquals, assertThrows } from "@std/assert";
import type { Artifact } from "@tiphys/model/api";
import { UserError } from "@tiphys/base/user_error";
import { resolveArtifact } from "./artifacts.ts";
import { Scope } from "./scope.ts";

const made: Artifact = { name: "out", s3: { key: "a/b" } };

function chosenArtifact(fromExpression: string): Artifact | undefined {
  const scope = new Scope();
  scope.artifacts.set("steps.make.outputs.artifacts.out", made);
  return resolveArtifact({ name: "in", fromExpression }, scope);
}

Deno.test("fromExpression: returns the artifact that it refers to, or one that it constructs", () => {
  assertEquals(chosenArtifact("steps.make.outputs.artifacts.out"), made);
  assertEquals(chosenArtifact("{'name': 'x', 's3': {'key': 'k'}, 'mode': 420}"), {
    name: "x",
    s3: { key: "k" },
    mode: 420,
  });
});

Deno.test("fromExpression: a result that is not a valid artifact is rejected with the location", () => {
  for (
    const [expression, place] of [
      ["{'name': 7}", "name: expected string, got 7"],
      ["{'name': 'x', 's3': 'bucket'}", "s3: expected object"],
      ["{'name': 'x', 's3': {'key': 5}}", "s3.key: expected string, got 5"],
    ] as const
  ) {
    assertThrows(() => chosenArtifact(expression), UserError, place);
  }
});

Deno.test("artifactPart() drops the digest and size of the whole artifact", () => {
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
