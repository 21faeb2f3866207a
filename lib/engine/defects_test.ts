/** Defects of the engine, injected where user errors are reported or ignored: they are thrown unchanged. */
import { assertEquals, assertThrows } from "@std/assert";
import type { NodeStatus } from "@tiphys/model/api";
import { evaluateCronStop, replaceTags } from "@tiphys/language/template";
import { UserError } from "@tiphys/base/user_error";
import type { Pass } from "./pass.ts";
import { templateIfValid } from "./templates/parallelism.ts";
import { resolveArtifacts } from "./templates/references.ts";
import { ignoreUserError } from "./user_error.ts";

const DEFECTS = [new TypeError("Cannot read properties of undefined"), new RangeError("Invalid time value")];

function raise(error: Error): never {
  throw error;
}

/** A pass in which every read of a WorkflowTemplate fails. */
function passThatFailsWith(error: Error): Pass {
  const pass = { draft: { workflow: {}, specIfSet: {} }, facts: { workflowTemplate: () => raise(error) } };
  return pass as unknown as Pass;
}

const NODE = { id: "a", name: "a", displayName: "a", templateName: "say", templateScope: "namespaced/t" } as NodeStatus;

Deno.test("templateIfValid() ignores a missing template, and throws defects", () => {
  assertEquals(templateIfValid(passThatFailsWith(new UserError("not found")), NODE), undefined);
  for (const defect of DEFECTS) {
    assertEquals(assertThrows(() => templateIfValid(passThatFailsWith(defect), NODE), Error), defect);
  }
});

Deno.test("resolveArtifacts() skips a missing optional artifact, and throws defects", () => {
  const artifacts = [{ name: "a", optional: true, from: "{{steps.x.outputs.artifacts.a}}" }];
  const scopeWith = (error: Error) =>
    new Proxy({}, { get: () => raise(error) }) as Parameters<typeof resolveArtifacts>[1];
  assertEquals(resolveArtifacts(artifacts, scopeWith(new UserError("Unable to resolve"))), []);
  for (const defect of DEFECTS) {
    assertEquals(assertThrows(() => resolveArtifacts(artifacts, scopeWith(defect)), Error), defect);
  }
});

Deno.test("ignoreUserError() ignores user errors, and throws defects", () => {
  ignoreUserError(new UserError("no such thing"));
  for (const defect of DEFECTS) assertEquals(assertThrows(() => ignoreUserError(defect), Error), defect);
});

Deno.test("the template language does not report defects as user errors", () => {
  for (const defect of DEFECTS) {
    const facts = {
      name: "c",
      get namespace(): string {
        return raise(defect);
      },
    };
    assertEquals(assertThrows(() => evaluateCronStop("true", facts), Error), defect);
    const values = new Proxy(new Map<string, string>(), { get: () => raise(defect) });
    assertEquals(assertThrows(() => replaceTags({ a: "{{b}}" }, values, { kind: "all" }), Error), defect);
  }
});
