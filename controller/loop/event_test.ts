import { assertEquals } from "@std/assert";
import { eventOf, type EventText } from "./event.ts";

const SUBJECT = { metadata: { name: "w", namespace: "argo", uid: "uid-w", resourceVersion: "7" } };
const TEXT: EventText = { type: "Normal", reason: "WorkflowNodeRunning", message: "Running node w" };
const NOW = new Date("2026-01-01T00:00:00Z");

Deno.test("eventOf(): an event is about its subject, or about the pod that it refers to", () => {
  assertEquals(eventOf("Workflow", SUBJECT, TEXT, NOW, "w.1").involvedObject, {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    name: "w",
    namespace: "argo",
    uid: "uid-w",
    resourceVersion: "7",
  });
  const pod = { name: "p", uid: "uid-p" };
  const { metadata, involvedObject } = eventOf("Workflow", SUBJECT, { ...TEXT, pod }, NOW, "p.1");
  assertEquals(metadata.name, "p.1");
  assertEquals(involvedObject, {
    apiVersion: "v1",
    kind: "Pod",
    name: "p",
    namespace: "argo",
    uid: "uid-p",
    resourceVersion: undefined,
  });
});
