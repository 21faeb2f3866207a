import { assertEquals } from "@std/assert";
import { KubeError } from "@tiphys/kube";
import { FakeWorld } from "../testing/fake_world.ts";

const FLAGS = ["--type", "ConfigMap", "--cm-name", "limits"];
const LIMIT_LINES = "Key: builds\nType: configmap\nConfigMap Name: limits\nNamespace: default\nLimit: ";

Deno.test("sync: creates, shows, updates and deletes limits of semaphores", async () => {
  using world = new FakeWorld();
  assertEquals(await world.run("sync", "create", "builds", ...FLAGS, "--limit", "3"), 0);
  assertEquals(world.output, `Sync limit created\n${LIMIT_LINES}3\n`);
  assertEquals(await world.run("sync", "update", "builds", ...FLAGS, "--limit", "5"), 0);
  assertEquals(world.output, `Sync limit updated\n${LIMIT_LINES}5\n`);
  assertEquals(await world.run("sync", "get", "builds", ...FLAGS), 0);
  assertEquals(world.output, `${LIMIT_LINES}5\n`);
  assertEquals(await world.run("sync", "delete", "builds", ...FLAGS), 0);
  assertEquals(world.output, "Sync limit deleted\n");
});

const REFUSED: readonly [string, string[], number, string][] = [
  ["an unknown type", ["get", "k", "--type", "file"], 2, "--type must be either 'database' or 'configmap'"],
  ["a missing ConfigMap name", ["get", "k", "--type", "configmap"], 2, "--cm-name is required when type is configmap"],
  ["a word as the limit", ["create", "k", ...FLAGS, "--limit", "many"], 2, "--limit: expected a whole number"],
  [
    "a limit of 0",
    ["create", "k", ...FLAGS, "--limit", "0"],
    1,
    "failed to create sync limit: limit must be greater than zero",
  ],
  [
    "an unknown key",
    ["get", "k", ...FLAGS],
    1,
    "failed to get sync limit: key k not found in configmap default/limits",
  ],
  [
    "to delete an unknown key",
    ["delete", "k", ...FLAGS],
    1,
    "failed to delete sync limit: key k not found in configmap default/limits",
  ],
];

for (const [what, args, code, message] of REFUSED) {
  Deno.test(`sync: rejects ${what}`, async () => {
    using world = new FakeWorld();
    assertEquals(await world.run("sync", ...args), code);
    assertEquals(world.errors.includes(message), true, world.errors);
  });
}

Deno.test("sync: a rejection by a server is reported like one by the cluster, with the name of the command", async () => {
  using world = new FakeWorld();
  world.client.get = () => Promise.reject(new KubeError("unsupported sync config type: DATABASE", { status: 400 }));
  assertEquals(await world.run("sync", "get", "k", ...FLAGS), 1);
  assertEquals(world.errors, "failed to get sync limit: unsupported sync config type: DATABASE\n");
});
