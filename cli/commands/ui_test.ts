/** `tiphys ui`. */
import { assertEquals } from "@std/assert";
import { FakeWorld } from "../testing/fake_world.ts";

Deno.test("ui prints a link that lets in, to the workflow that is named, and opens nothing where no person watches", async () => {
  using world = new FakeWorld({ env: { HOME: "/users/me" } });
  world.localClusters = 1;
  assertEquals(await world.run("ui"), 0);
  assertEquals(world.output, "http://127.0.0.1:2747/#ticket=of-a-test\nThe link lets in once, within a minute\n");
  assertEquals(await world.run("ui", "etl-7", "-n", "data"), 0);
  assertEquals(world.output.split("\n")[0], "http://127.0.0.1:2747/workflows/data/etl-7#ticket=of-a-test");
  assertEquals(world.opened, []);
});

Deno.test("ui without a cluster says how to start one", async () => {
  using world = new FakeWorld({ env: { HOME: "/users/me" } });
  assertEquals(await world.run("ui", "--data", "/data"), 1);
  assertEquals(world.errors, "No page is served over /data: start the embedded cluster by  tiphys local\n");
});
