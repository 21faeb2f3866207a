/** `tiphys ui`. */
import { assertEquals } from "@std/assert";
import { WORKFLOWS } from "@tiphys/kube";
import { FakeWorld } from "../testing/fake_world.ts";

const HEAD = {
  apiVersion: "argoproj.io/v1alpha1",
  kind: "Workflow",
  spec: { entrypoint: "a", templates: [{ name: "a", suspend: {} }] },
};

Deno.test("ui: prints a link to the page or to a workflow, and opens no browser without a terminal", async () => {
  using world = new FakeWorld({ env: { HOME: "/users/me" } });
  world.localClusters = 1;
  assertEquals(await world.run("ui"), 0);
  assertEquals(world.output, "http://127.0.0.1:2747/#ticket=of-a-test\nThe link is valid until the cluster ends\n");
  assertEquals(await world.run("ui", "etl-7", "-n", "data"), 0);
  assertEquals(world.output.split("\n")[0], "http://127.0.0.1:2747/workflows/data/etl-7#ticket=of-a-test");
  await world.client.create(WORKFLOWS, "default", { ...HEAD, metadata: { name: "newest" } });
  assertEquals(await world.run("ui", "@latest"), 0, world.errors);
  assertEquals(world.output.split("\n")[0], "http://127.0.0.1:2747/workflows/default/newest#ticket=of-a-test");
  assertEquals(world.opened, []);
});

Deno.test("ui: without a running cluster, prints how to start one", async () => {
  using world = new FakeWorld({ env: { HOME: "/users/me" } });
  assertEquals(await world.run("ui", "--data", "/data"), 1);
  assertEquals(
    world.errors,
    "No page is served for data folder /data: start the embedded cluster with  tiphys local --data /data\n",
  );
});
