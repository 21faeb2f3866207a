import { assertEquals, assertThrows } from "@std/assert";
import { JsonError } from "@tiphys/base/go";
import { matchesLabelSelector } from "@tiphys/kube/selectors";
import { PodBuildError } from "./pod/request.ts";
import { evaluateWhen, TemplateError } from "@tiphys/language/template";
import { UserError } from "@tiphys/base/user_error";
import { LimitError } from "./allowance.ts";
import { TOO_DEEP, userErrorMessage } from "./user_error.ts";

Deno.test("messageOf() returns the message of a user error", () => {
  for (const Kind of [UserError, JsonError, PodBuildError, TemplateError]) {
    assertEquals(userErrorMessage(new Kind("no such thing")), "no such thing");
  }
});

Deno.test("messageOf() throws defects and limits, whatever their class is", () => {
  const ours = [
    new Error("No node a to update"),
    new TypeError("Cannot read properties of undefined"),
    new ReferenceError("a is not defined"),
    new RangeError("Invalid time value"),
    new SyntaxError("Unexpected end of JSON input"),
    new LimitError("a workflow may have 3 nodes"),
  ];
  for (const error of ours) assertEquals(assertThrows(() => userErrorMessage(error), Error), error);
});

Deno.test("messageOf() reports a stack overflow as nesting that is too deep", () => {
  const down = (): number => 1 + down();
  const error = assertThrows(down, RangeError);
  assertEquals(userErrorMessage(error), TOO_DEEP);
});

Deno.test("UserError: thrown for an invalid selector or condition", () => {
  assertThrows(() => matchesLabelSelector("a in (", {}), UserError);
  assertThrows(() => matchesLabelSelector({ matchExpressions: [{ key: "a", operator: "Near" }] }, {}), UserError);
  assertThrows(() => evaluateWhen("(foo"), UserError);
});
