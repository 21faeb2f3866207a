import { assertEquals } from "@std/assert";
import { KubeError } from "@tiphys/kube";
import { FakeWorld } from "../testing/fake_world.ts";

const FLAGS = ["--type", "ConfigMap", "--cm-name", "limits"];
const TOLD = "Key: builds\nType: configmap\nConfigMap Name: limits\nNamespace: default\nLimit: ";

Deno.test("limits of semaphores are created, shown, updated and deleted", async () => {
  using world = new FakeWorld();
  assertEquals(await world.run("sync", "create", "builds", ...FLAGS, "--limit", "3"), 0);
  assertEquals(world.output, `Sync limit created\n${TOLD}3\n`);
  assertEquals(await world.run("sync", "update", "builds", ...FLAGS, "--limit", "5"), 0);
  assertEquals(world.output, `Sync limit updated\n${TOLD}5\n`);
  assertEquals(await world.run("sync", "get", "builds", ...FLAGS), 0);
  assertEquals(world.output, `${TOLD}5\n`);
  assertEquals(await world.run("sync", "delete", "builds", ...FLAGS), 0);
  assertEquals(world.output, "Sync limit deleted\n");
});

const REFUSED: readonly [string, string[], number, string][] = [
  ["another type", ["get", "k", "--type", "file"], 2, "--type must be either 'database' or 'configmap'"],
  ["no ConfigMap", ["get", "k", "--type", "configmap"], 2, "--cm-name is required when type is configmap"],
  ["a word as the limit", ["create", "k", ...FLAGS, "--limit", "many"], 2, "--limit takes a whole number"],
  [
    "a limit of 0",
    ["create", "k", ...FLAGS, "--limit", "0"],
    1,
    "failed to create sync limit: limit must be greater than zero",
  ],
  [
    "a key that is not there",
    ["get", "k", ...FLAGS],
    1,
    "failed to get sync limit: key k not found in configmap default/limits",
  ],
];

for (const [what, args, code, message] of REFUSED) {
  Deno.test(`tiphys sync refuses ${what}`, async () => {
    using world = new FakeWorld();
    assertEquals(await world.run("sync", ...args), code);
    assertEquals(world.errors.includes(message), true, world.errors);
  });
}

Deno.test("a limit that a server refuses is told of as one that the cluster refuses, with the command's name", async () => {
  using world = new FakeWorld();
  world.client.get = () => Promise.reject(new KubeError("unsupported sync config type: DATABASE", { status: 400 }));
  assertEquals(await world.run("sync", "get", "k", ...FLAGS), 1);
  assertEquals(world.errors, "failed to get sync limit: unsupported sync config type: DATABASE\n");
});
