import { assertEquals } from "@std/assert";
import { SECOND } from "@tiphys/base/go/duration";
import { podGcDelay } from "./pod_gc_delay.ts";

Deno.test("podGcDelay() returns the workflow's delay, and undefined if it is not a valid duration", () => {
  const delay = (deleteDelayDuration?: string) => podGcDelay({ strategy: "OnPodCompletion", deleteDelayDuration });
  assertEquals([delay("90s"), delay("7"), delay("0s")], [90n * SECOND, 7n * SECOND, 0n]);
  assertEquals([delay(), delay(""), delay("soon"), delay("-5s")], [undefined, undefined, undefined, undefined]);
  assertEquals(podGcDelay(undefined), undefined);
});
