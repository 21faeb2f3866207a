import { assertEquals, assertThrows } from "@std/assert";
import { JsonError } from "@tiphys/base/go";
import { matchesLabelSelector } from "@tiphys/kube";
import { PodBuildError } from "./pod/request.ts";
import { evaluateWhen, TemplateError } from "@tiphys/language/template";
import { UserError } from "@tiphys/base/user_error";
import { LimitError } from "./allowance.ts";
import { messageOf, TOO_DEEP } from "./user_error.ts";

Deno.test("messageOf() says what the author of a workflow did wrong", () => {
  for (const Kind of [UserError, JsonError, PodBuildError, TemplateError]) {
    assertEquals(messageOf(new Kind("no such thing")), "no such thing");
  }
});

Deno.test("messageOf() takes no mistake of ours for the author's, whatever its class is", () => {
  const ours = [
    new Error("No node a to update"),
    new TypeError("Cannot read properties of undefined"),
    new ReferenceError("a is not defined"),
    new RangeError("Invalid time value"),
    new SyntaxError("Unexpected end of JSON input"),
    new LimitError("a workflow may have 3 nodes"),
  ];
  for (const error of ours) assertEquals(assertThrows(() => messageOf(error), Error), error);
});

Deno.test("messageOf() says of what uses up the stack that it is nested too deeply", () => {
  const down = (): number => 1 + down();
  const error = assertThrows(down, RangeError);
  assertEquals(messageOf(error), TOO_DEEP);
});

Deno.test("a selector or condition of a user that cannot be read is a UserError", () => {
  assertThrows(() => matchesLabelSelector("a in (", {}), UserError);
  assertThrows(() => matchesLabelSelector({ matchExpressions: [{ key: "a", operator: "Near" }] }, {}), UserError);
  assertThrows(() => evaluateWhen("(foo"), UserError);
});
