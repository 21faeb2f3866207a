import { assertEquals } from "@std/assert";
import { ActionOutcomes } from "./outcomes.ts";

Deno.test("outcomes: a refusal requires another pass only once, because that pass repeats the request", () => {
  const outcomes = new ActionOutcomes();
  const quota = (remaining: number) => ({ message: `exceeded quota, ${remaining} left`, transient: true });
  assertEquals(outcomes.refuse("claim", quota(1)), true);
  assertEquals(outcomes.refuse("claim", quota(0)), "later");
  assertEquals(outcomes.refusals.get("claim"), quota(0));
  assertEquals(outcomes.refuse("claim", { message: "for good", transient: false }), true);
  assertEquals(outcomes.refuse("other", quota(1)), true);
});
