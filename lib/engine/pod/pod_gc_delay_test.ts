import { assertEquals } from "@std/assert";
import { SECOND } from "@tiphys/base/go/duration";
import { podGcDelay } from "./pod_gc_delay.ts";

Deno.test("podGcDelay() reads what the workflow says, and nothing where that is no duration", () => {
  const delay = (deleteDelayDuration?: string) => podGcDelay({ strategy: "OnPodCompletion", deleteDelayDuration });
  assertEquals([delay("90s"), delay("7"), delay("0s")], [90n * SECOND, 7n * SECOND, 0n]);
  assertEquals([delay(), delay(""), delay("soon"), delay("-5s")], [undefined, undefined, undefined, undefined]);
  assertEquals(podGcDelay(undefined), undefined);
});
