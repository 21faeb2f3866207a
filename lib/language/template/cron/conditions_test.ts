import { assertEquals, assertThrows } from "@std/assert";
import { TemplateError } from "../error.ts";
import { evaluateCronStop, evaluateCronWhen } from "./conditions.ts";

const facts = {
  name: "c",
  namespace: "ns",
  labels: { team: "a" },
  annotations: { note: "n" },
  failed: 3,
  succeeded: 10,
};

Deno.test("evaluateCronWhen: an empty condition is true", () => {
  assertEquals(evaluateCronWhen("", facts), true);
});

Deno.test("evaluateCronWhen: counters need an expression, names a quoted tag", () => {
  assertEquals(evaluateCronWhen("{{=cronworkflow.failed}} < 5 && '{{cronworkflow.name}}' == 'c'", facts), true);
  assertThrows(() => evaluateCronWhen("{{cronworkflow.failed}} < 5", facts), TemplateError, "to string");
});

Deno.test("evaluateCronWhen: bare words fail, unlike in the `when` of a step", () => {
  assertThrows(() => evaluateCronWhen("foo == foo", facts), TemplateError, "No parameter 'foo' found.");
});

Deno.test("evaluateCronWhen: the last scheduled time is nil before the first run", () => {
  assertEquals(evaluateCronWhen("{{=cronworkflow.lastScheduledTime == nil}}", facts), true);
  const later = { ...facts, lastScheduledTime: "2024-05-01T10:00:00Z" };
  assertEquals(evaluateCronWhen("{{=(now() - cronworkflow.lastScheduledTime).Seconds() > 3600}}", later), true);
});

Deno.test("evaluateCronStop: sees counters and labels, and the labels again as annotations", () => {
  assertEquals(evaluateCronStop("cronworkflow.failed >= 3 && cronworkflow.labels.team == 'a'", facts), true);
  assertEquals(evaluateCronStop("cronworkflow.annotations.team == 'a'", facts), true);
});

Deno.test("evaluateCronStop: must evaluate to a boolean and cannot call Argo's functions", () => {
  assertThrows(
    () => evaluateCronStop("cronworkflow.failed", facts),
    TemplateError,
    "failed to evaluate stop expression",
  );
  assertThrows(() => evaluateCronStop("asInt('3') == 3", facts), TemplateError, "unknown name asInt");
});
