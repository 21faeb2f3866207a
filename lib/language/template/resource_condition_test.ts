import { assertEquals, assertThrows } from "@std/assert";
import { TemplateError } from "./error.ts";
import { evaluateResourceConditions } from "./resource_condition.ts";

const object = JSON.stringify({
  status: { phase: "Running", active: 0, ratio: 1.5, nothing: null, conditions: [{ type: "Ready" }], ready: true },
});

const kind = (success: string, failure = "") => evaluateResourceConditions(object, success, failure).kind;

Deno.test("evaluateResourceConditions: an object meets empty conditions", () => {
  assertEquals(kind(""), "met");
});

Deno.test("evaluateResourceConditions: waits until all success terms hold", () => {
  assertEquals(kind("status.phase == Running, status.active == 0"), "met");
  assertEquals(kind("status.phase == Running, status.active > 0"), "waiting");
});

Deno.test("evaluateResourceConditions: any failure term fails the object, with Argo's message", () => {
  assertEquals(evaluateResourceConditions(object, "status.phase == Running", "status.phase == Running"), {
    kind: "failed",
    message: "failure condition '{status.phase == [Running]}' evaluated true",
  });
});

Deno.test("evaluateResourceConditions: paths contain fields and indexes", () => {
  assertEquals(kind("status.conditions.0.type == Ready"), "met");
  assertEquals(kind("status.conditions.1.type"), "waiting");
  assertEquals(kind("!status.conditions.type"), "met");
});

Deno.test("evaluateResourceConditions: a null field exists and is empty, and booleans are the words true and false", () => {
  assertEquals(kind("status.nothing, status.nothing=, status.ready == true"), "met");
});

Deno.test("evaluateResourceConditions: compares numbers only as integers", () => {
  assertEquals(kind("status.ratio > 1"), "waiting");
  assertEquals(kind("status.active < 1"), "met");
});

Deno.test("evaluateResourceConditions: messages print greater and less as Kubernetes does", () => {
  const verdict = evaluateResourceConditions('{"n":5}', "", "n > 4");
  assertEquals(verdict, { kind: "failed", message: "failure condition '{n gt [4]}' evaluated true" });
});

Deno.test("evaluateResourceConditions: uses the first value of a repeated field", () => {
  assertEquals(evaluateResourceConditions('{"n":1,"n":2}', "n == 1", "").kind, "met");
});

Deno.test("evaluateResourceConditions: an object that is not JSON is an error, after the conditions are parsed", () => {
  assertThrows(() => evaluateResourceConditions("{oops", "n", ""), TemplateError, "Encountered invalid JSON response");
  assertThrows(() => evaluateResourceConditions("{oops", "n >= 0", ""), TemplateError, "unable to parse requirement");
});

Deno.test("evaluateResourceConditions: a condition that cannot be parsed is an error", () => {
  assertThrows(() => kind("status.active >= 0"), TemplateError, "unable to parse requirement");
});
