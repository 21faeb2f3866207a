import { assertEquals, assertRejects } from "@std/assert";
import { LazyResource } from "./lazy_resource.ts";

/** A resource that counts how often it is opened and closed; opening fails the first `failures` times. */
function counted(failures = 0) {
  const seen: string[] = [];
  const thing = new LazyResource(async () => {
    seen.push("open");
    await Promise.resolve();
    if (failures-- > 0) throw new Error("not there yet");
    return { [Symbol.asyncDispose]: () => Promise.resolve(void seen.push("close")) };
  });
  return { thing, seen };
}

Deno.test("LazyResource: opens once for concurrent calls and closes the resource", async () => {
  const { thing, seen } = counted();
  const [one, other] = await Promise.all([thing.get(), thing.get()]);
  assertEquals(one === other, true);
  await thing.close();
  assertEquals(seen, ["open", "close"]);
});

Deno.test("LazyResource: retries a failed opening, once for concurrent calls", async () => {
  const { thing, seen } = counted(1);
  const failed = [thing.get(), thing.get()];
  await assertRejects(() => failed[0]!, Error, "not there yet");
  const later = thing.get();
  await assertRejects(() => failed[1]!, Error, "not there yet");
  assertEquals(await later === await thing.get(), true);
  assertEquals(seen, ["open", "open"]);
});

Deno.test("LazyResource: close does nothing when the resource was never opened or failed to open", async () => {
  const never = counted();
  await never.thing.close();
  const failing = counted(1);
  const asked = assertRejects(() => failing.thing.get(), Error, "not there yet");
  await failing.thing.close();
  await asked;
  assertEquals([never.seen, failing.seen], [[], ["open"]]);
});
