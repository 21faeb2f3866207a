import { assertEquals, assertRejects } from "@std/assert";
import { ImageError } from "@tiphys/registry/image_error";
import { PullBackoff, pullKey } from "./pull_backoff.ts";

Deno.test("PullBackoff: pauses grow, errors count the attempts, and a success resets both", async () => {
  let now = 0;
  let pulls = 0;
  let fails = true;
  const backoff = new PullBackoff(() => now);
  const pull = () =>
    backoff.run("a", () => {
      pulls++;
      return fails ? Promise.reject(new ImageError("ErrImagePull", `pull ${pulls}`)) : Promise.resolve("pulled");
    });
  const attempts: number[] = [];
  for (const time of [0, 9_999, 10_000, 29_999, 30_000, 69_999]) {
    now = time;
    const { message, attempts: count } = await assertRejects(pull, ImageError);
    assertEquals(message, `pull ${pulls}`);
    attempts.push(count);
  }
  assertEquals([attempts, pulls], [[1, 1, 2, 2, 3, 3], 3]);
  [now, fails] = [70_000, false];
  assertEquals(await pull(), "pulled");
  fails = true;
  assertEquals((await assertRejects(pull, ImageError)).attempts, 1);
});

Deno.test("PullBackoff: concurrent failures count once, and other keys are not affected", async () => {
  const backoff = new PullBackoff(() => 0);
  const fail = () => Promise.reject(new ImageError("ErrImagePull", "no"));
  await Promise.allSettled([backoff.run("a", fail), backoff.run("a", fail)]);
  assertEquals((await assertRejects(() => backoff.run("a", fail), ImageError)).attempts, 1);
  assertEquals(await backoff.run("b", () => Promise.resolve("pulled")), "pulled");
});

Deno.test("pullKey: depends on the secrets", () => {
  assertEquals(pullKey("a", []), pullKey("a", []));
  assertEquals(pullKey("a", [{ auths: {} }]) === pullKey("a", []), false);
});
