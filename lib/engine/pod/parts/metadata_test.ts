import { assertEquals } from "@std/assert";
import type { Template } from "@tiphys/model/api";
import { CONFIG, podFor } from "../testing/pod_request.ts";

const IMAGE = { image: "busybox", command: ["sh"] };
const CONTAINER: Template = { container: IMAGE };

Deno.test("podMetadata() lets labels and annotations of the template win", () => {
  const pod = podFor(
    { ...CONTAINER, metadata: { labels: { team: "template" }, annotations: { note: "t" } } },
    { spec: { podMetadata: { labels: { team: "workflow", all: "yes" } } }, onExit: true },
  );
  assertEquals([pod.metadata.labels?.team, pod.metadata.labels?.all], ["template", "yes"]);
  assertEquals(pod.metadata.labels?.["workflows.argoproj.io/on-exit"], "true");
  assertEquals(pod.metadata.annotations?.["kubectl.kubernetes.io/default-container"], "main");
  assertEquals(pod.metadata.annotations?.["workflows.argoproj.io/node-name"], "wf.step");
});

Deno.test("podMetadata() names the trace and the span of the node where traces are sent, and only there", () => {
  const annotations = (pod: ReturnType<typeof podFor>) =>
    ["trace-id", "span-id"].map((name) => pod.metadata.annotations?.[`workflows.argoproj.io/${name}`]);
  assertEquals(annotations(podFor(CONTAINER, { trace: { traceId: "t", spanId: "s" } })), ["t", "s"]);
  assertEquals(annotations(podFor(CONTAINER)), [undefined, undefined]);
});

Deno.test("podMetadata() writes how the pod is to be cleaned up, and the finalizer where it is on", () => {
  const spec = { podGC: { strategy: "OnPodCompletion" as const, deleteDelayDuration: "30s" } };
  const pod = podFor(CONTAINER, { spec, config: { ...CONFIG, statusFinalizer: true } });
  assertEquals(pod.metadata.annotations?.["workflows.argoproj.io/pod-gc-strategy"], "OnPodCompletion/30s");
  assertEquals(pod.metadata.finalizers, ["workflows.argoproj.io/status"]);
});

Deno.test("podMetadata() writes the delay of the cleaning up in Go's words, the controller's where the workflow's cannot be read", () => {
  const delay = (deleteDelayDuration: string | undefined, podGcDelay?: string) =>
    podFor(CONTAINER, { spec: { podGC: { deleteDelayDuration } }, config: { ...CONFIG, podGcDelay } }).metadata
      .annotations?.["workflows.argoproj.io/pod-gc-strategy"];
  assertEquals(delay("90s"), "/1m30s");
  assertEquals([delay("soon", "60s"), delay(undefined, "60s"), delay(undefined)], ["/1m0s", "/1m0s", "/5s"]);
});

Deno.test("podMetadata() names main as the default container, else the last, unless the user chose one", () => {
  const chosen = (template: Template) =>
    podFor(template).metadata.annotations?.["kubectl.kubernetes.io/default-container"];
  const set = (names: string[]) => ({ containerSet: { containers: names.map((name) => ({ name, ...IMAGE })) } });
  assertEquals(chosen(set(["a", "main", "b"])), "main");
  assertEquals(chosen(set(["a", "b"])), "b");
  const annotations = { "kubectl.kubernetes.io/default-container": "beside" };
  assertEquals(chosen({ ...CONTAINER, metadata: { annotations } }), "beside");
});

Deno.test("podMetadata() makes the workflow the controller of its pod", () => {
  const [owner] = podFor(CONTAINER).metadata.ownerReferences!;
  assertEquals([owner?.kind, owner?.name, owner?.uid, owner?.controller], ["Workflow", "wf", "u-1", true]);
});

Deno.test("podMetadata() lets nobody say that the pod belongs to another workflow or node", () => {
  const labels = { "workflows.argoproj.io/workflow": "other" };
  const annotations = { "workflows.argoproj.io/node-id": "other-1", "workflows.argoproj.io/node-name": "other" };
  const metadata = { labels, annotations };
  const pod = podFor({ ...CONTAINER, metadata }, { spec: { podMetadata: metadata } });
  assertEquals(pod.metadata.labels?.["workflows.argoproj.io/workflow"], "wf");
  assertEquals(pod.metadata.annotations?.["workflows.argoproj.io/node-name"], "wf.step");
  assertEquals(pod.metadata.annotations?.["workflows.argoproj.io/node-id"]?.startsWith("other"), false);
});
