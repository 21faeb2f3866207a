import { assertEquals, assertThrows } from "@std/assert";
import { TemplateError } from "./error.ts";
import { judgeResource } from "./resource_condition.ts";

const object = JSON.stringify({
  status: { phase: "Running", active: 0, ratio: 1.5, nothing: null, conditions: [{ type: "Ready" }], ready: true },
});

const kind = (success: string, failure = "") => judgeResource(object, success, failure).kind;

Deno.test("an object without conditions is as wanted", () => {
  assertEquals(kind(""), "met");
});

Deno.test("all success terms must hold, or it waits", () => {
  assertEquals(kind("status.phase == Running, status.active == 0"), "met");
  assertEquals(kind("status.phase == Running, status.active > 0"), "waiting");
});

Deno.test("any failure term fails it, with the peer's message", () => {
  assertEquals(judgeResource(object, "status.phase == Running", "status.phase == Running"), {
    kind: "failed",
    message: "failure condition '{status.phase == [Running]}' evaluated true",
  });
});

Deno.test("paths go through fields and indexes", () => {
  assertEquals(kind("status.conditions.0.type == Ready"), "met");
  assertEquals(kind("status.conditions.1.type"), "waiting");
  assertEquals(kind("!status.conditions.type"), "met");
});

Deno.test("a field that is null is there and empty, and truth values are words", () => {
  assertEquals(kind("status.nothing, status.nothing=, status.ready == true"), "met");
});

Deno.test("numbers compare as whole numbers only", () => {
  assertEquals(kind("status.ratio > 1"), "waiting");
  assertEquals(kind("status.active < 1"), "met");
});

Deno.test("greater and less have Kubernetes' words in the message", () => {
  const verdict = judgeResource('{"n":5}', "", "n > 4");
  assertEquals(verdict, { kind: "failed", message: "failure condition '{n gt [4]}' evaluated true" });
});

Deno.test("of a field that is there twice the first counts", () => {
  assertEquals(judgeResource('{"n":1,"n":2}', "n == 1", "").kind, "met");
});

Deno.test("an object that is no JSON is an error, once the conditions are read", () => {
  assertThrows(() => judgeResource("{oops", "n", ""), TemplateError, "Encountered invalid JSON response");
  assertThrows(() => judgeResource("{oops", "n >= 0", ""), TemplateError, "unable to parse requirement");
});

Deno.test("a condition that cannot be read is an error", () => {
  assertThrows(() => kind("status.active >= 0"), TemplateError, "unable to parse requirement");
});
