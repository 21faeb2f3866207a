import { assertEquals } from "@std/assert";
import type { NodeStatus } from "@tiphys/model/api";
import { nodesWithReason } from "./embedded_run.ts";

Deno.test("nodesWithReason: pods that start as usual, and nodes that run, have no reason", () => {
  const node = (name: string, phase: NodeStatus["phase"], message?: string) =>
    [name, { id: name, name, displayName: name, type: "Pod", phase, message }] as const;
  const nodes = Object.fromEntries([
    node("new", "Pending"),
    node("starting", "Pending", "ContainerCreating"),
    node("initializing", "Pending", "PodInitializing"),
    node("running", "Running", "ContainerCreating"),
    node("secret", "Pending", 'CreateContainerConfigError: secret "nope" not found'),
    node("volume", "Pending", 'ContainerCreating: configmap "nope" not found'),
  ]) as Record<string, NodeStatus>;
  assertEquals(nodesWithReason({ status: { nodes } }).map(({ name }) => name), ["secret", "volume"]);
});
