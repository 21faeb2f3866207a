import { assertEquals, assertRejects } from "@std/assert";
import { OpenedWhenAsked } from "./opened_when_asked.ts";

/** What opens and closes, and fails to open so many times before. */
function counted(failures = 0) {
  const seen: string[] = [];
  const thing = new OpenedWhenAsked(async () => {
    seen.push("open");
    await Promise.resolve();
    if (failures-- > 0) throw new Error("not there yet");
    return { [Symbol.asyncDispose]: () => Promise.resolve(void seen.push("close")) };
  });
  return { thing, seen };
}

Deno.test("OpenedWhenAsked opens once for all that ask, and closes that", async () => {
  const { thing, seen } = counted();
  const [one, other] = await Promise.all([thing.get(), thing.get()]);
  assertEquals(one === other, true);
  await thing.close();
  assertEquals(seen, ["open", "close"]);
});

Deno.test("OpenedWhenAsked tries again where opening failed, once for all that ask then", async () => {
  const { thing, seen } = counted(1);
  const failed = [thing.get(), thing.get()];
  await assertRejects(() => failed[0]!, Error, "not there yet");
  const later = thing.get();
  await assertRejects(() => failed[1]!, Error, "not there yet");
  assertEquals(await later === await thing.get(), true);
  assertEquals(seen, ["open", "open"]);
});

Deno.test("OpenedWhenAsked closes nothing that was never opened, or that could not be", async () => {
  const never = counted();
  await never.thing.close();
  const failing = counted(1);
  const asked = assertRejects(() => failing.thing.get(), Error, "not there yet");
  await failing.thing.close();
  await asked;
  assertEquals([never.seen, failing.seen], [[], ["open"]]);
});
