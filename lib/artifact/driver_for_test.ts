import { assertEquals, assertRejects } from "@std/assert";
import { driverFor, NoDriverError } from "./mod.ts";

Deno.test("driverFor() brings a raw artifact as the text it is", async () => {
  const artifact = { name: "a", raw: { data: "text" } };
  const file = `${await Deno.makeTempDir()}/a`;
  await (await driverFor(artifact)).load(artifact, file);
  assertEquals(await Deno.readTextFile(file), "text");
});

Deno.test("driverFor() cannot put a raw artifact anywhere, and says so", async () => {
  const artifact = { name: "a", raw: { data: "text" } };
  const driver = await driverFor(artifact);
  await assertRejects(() => driver.save("/dev/null", artifact), Error, "raw artifacts are inputs");
});

Deno.test("driverFor() names the store that it has no driver for", async () => {
  await assertRejects(
    () => driverFor({ name: "a", hdfs: {} }),
    NoDriverError,
    'artifact "a" lies in a store of kind hdfs',
  );
  await assertRejects(() => driverFor({ name: "a" }), NoDriverError, "configure artifact storage");
});
