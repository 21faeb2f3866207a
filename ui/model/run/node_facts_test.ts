import { assertEquals } from "@std/assert";
import type { NodeStatus } from "@tiphys/model/api";
import { resumedBy } from "../../../lib/engine/workflow_actions/actor.ts";
import { containersOf, failedHosts, isAboutNode, resumerOf } from "./node_facts.ts";

Deno.test("resumerOf: returns the most readable claim in the message of a server", () => {
  const by = (message: string) => resumerOf({ type: "Suspend", message });
  assertEquals(by(resumedBy({ subject: "u1", email: "a@b.c", preferredUsername: "ann lee" })), "ann lee");
  assertEquals(by(`looked at it; ${resumedBy({ subject: "u1", email: "a@b.c" })}`), "a@b.c");
  assertEquals(by(resumedBy({ subject: "u1" })), "u1");
  assertEquals(by("waits"), undefined);
  assertEquals(resumerOf({ type: "Pod", message: resumedBy({ subject: "u1" }) }), undefined);
});

Deno.test("failedHosts: returns the hosts of failed pods at any depth, without duplicates", () => {
  const node = (name: string, more: Partial<NodeStatus>): NodeStatus => ({ id: name, name, type: "Pod", ...more });
  const nodes = [
    node("w.a(0)", { type: "DAG", phase: "Failed", children: ["w.a(0).x", "w.a(0).y"] }),
    node("w.a(0).x", { phase: "Failed", hostNodeName: "h1" }),
    node("w.a(0).y", { phase: "Succeeded", hostNodeName: "h2", children: ["w.b"] }),
    node("w.a(1)", { phase: "Error", hostNodeName: "h1" }),
    node("w.a(2)", { phase: "Failed", hostNodeName: "h3" }),
    node("w.b", { phase: "Failed", hostNodeName: "h4" }),
  ];
  const byId = new Map(nodes.map((node) => [node.id, node]));
  assertEquals(failedHosts(nodes.filter(({ name }) => /\(\d\)$/.test(name)), byId), ["h1", "h3"]);
});

Deno.test("isAboutNode: matches events of the pod, and those that the controller emits for the node", () => {
  const event = (kind: string, name: string, message = "") => ({ message, involvedObject: { kind, name } });
  const is = (returnType: ReturnType<typeof event>) => isAboutNode(returnType, { name: "w.load(1:b)" }, "w-item-1");
  assertEquals(is(event("Pod", "w-item-1")), true);
  assertEquals(is(event("Pod", "w-item-12")), false);
  assertEquals(is(event("Workflow", "w", "Failed node w.load(1:b): exit 1")), true);
  assertEquals(is(event("Workflow", "w", "Running node w.load(1:b)")), true);
  assertEquals(is(event("Workflow", "w", "Running node w.load(1:b).onExit")), false);
  assertEquals(is(event("Workflow", "w", "Workflow completed")), false);
});

Deno.test("containersOf: a container of a set is shown alone, a pod with all containers, sidecars last", () => {
  const set = { name: "t", containerSet: { containers: [{ name: "a", image: "x" }, { name: "main", image: "x" }] } };
  const names = (type: NodeStatus["type"], displayName: string, template: Parameters<typeof containersOf>[0]) =>
    containersOf(template, { type, displayName }).map(({ name }) => name);
  assertEquals(names("Container", "a", set), ["a"]);
  assertEquals(names("Pod", "set", set), ["a", "main"]);
  const template = { initContainers: [{ name: "prep" }], container: { image: "x" }, sidecars: [{ name: "db" }] };
  assertEquals(names("Pod", "t", template as never), ["prep", "main", "db"]);
});
