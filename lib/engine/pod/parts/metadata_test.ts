import { assertEquals } from "@std/assert";
import type { Template } from "@tiphys/model/api";
import { CONFIG, podFor } from "../testing/pod_request.ts";

const IMAGE = { image: "busybox", command: ["sh"] };
const CONTAINER: Template = { container: IMAGE };

Deno.test("podMetadata() prefers labels and annotations of the template", () => {
  const pod = podFor(
    { ...CONTAINER, metadata: { labels: { team: "template" }, annotations: { note: "t" } } },
    { spec: { podMetadata: { labels: { team: "workflow", all: "yes" } } }, onExit: true },
  );
  assertEquals([pod.metadata.labels?.team, pod.metadata.labels?.all], ["template", "yes"]);
  assertEquals(pod.metadata.labels?.["workflows.argoproj.io/on-exit"], "true");
  assertEquals(pod.metadata.annotations?.["kubectl.kubernetes.io/default-container"], "main");
  assertEquals(pod.metadata.annotations?.["workflows.argoproj.io/node-name"], "wf.step");
});

Deno.test("podMetadata() contains the node's trace and span only if traces are sent", () => {
  const annotations = (pod: ReturnType<typeof podFor>) =>
    ["trace-id", "span-id"].map((name) => pod.metadata.annotations?.[`workflows.argoproj.io/${name}`]);
  assertEquals(annotations(podFor(CONTAINER, { trace: { traceId: "t", spanId: "s" } })), ["t", "s"]);
  assertEquals(annotations(podFor(CONTAINER)), [undefined, undefined]);
});

Deno.test("podMetadata() contains the pod's garbage collection, and the finalizer if enabled", () => {
  const spec = { podGC: { strategy: "OnPodCompletion" as const, deleteDelayDuration: "30s" } };
  const pod = podFor(CONTAINER, { spec, config: { ...CONFIG, statusFinalizer: true } });
  assertEquals(pod.metadata.annotations?.["workflows.argoproj.io/pod-gc-strategy"], "OnPodCompletion/30s");
  assertEquals(pod.metadata.finalizers, ["workflows.argoproj.io/status"]);
});

Deno.test("podMetadata() formats the garbage collection delay as in Go, and uses the controller's if the workflow's is invalid", () => {
  const delay = (deleteDelayDuration: string | undefined, podGcDelay?: string) =>
    podFor(CONTAINER, { spec: { podGC: { deleteDelayDuration } }, config: { ...CONFIG, podGcDelay } }).metadata
      .annotations?.["workflows.argoproj.io/pod-gc-strategy"];
  assertEquals(delay("90s"), "/1m30s");
  assertEquals([delay("soon", "60s"), delay(undefined, "60s"), delay(undefined)], ["/1m0s", "/1m0s", "/5s"]);
});

Deno.test("podMetadata() sets the default container to main, otherwise the last, unless the user set it", () => {
  const chosen = (template: Template) =>
    podFor(template).metadata.annotations?.["kubectl.kubernetes.io/default-container"];
  const set = (names: string[]) => ({ containerSet: { containers: names.map((name) => ({ name, ...IMAGE })) } });
  assertEquals(chosen(set(["a", "main", "b"])), "main");
  assertEquals(chosen(set(["a", "b"])), "b");
  const annotations = { "kubectl.kubernetes.io/default-container": "beside" };
  assertEquals(chosen({ ...CONTAINER, metadata: { annotations } }), "beside");
});

Deno.test("podMetadata() sets the workflow as controller of its pod", () => {
  const [owner] = podFor(CONTAINER).metadata.ownerReferences!;
  assertEquals([owner?.kind, owner?.name, owner?.uid, owner?.controller], ["Workflow", "wf", "u-1", true]);
});

Deno.test("podMetadata() does not let users assign the pod to another workflow or node", () => {
  const labels = { "workflows.argoproj.io/workflow": "other" };
  const annotations = { "workflows.argoproj.io/node-id": "other-1", "workflows.argoproj.io/node-name": "other" };
  const metadata = { labels, annotations };
  const pod = podFor({ ...CONTAINER, metadata }, { spec: { podMetadata: metadata } });
  assertEquals(pod.metadata.labels?.["workflows.argoproj.io/workflow"], "wf");
  assertEquals(pod.metadata.annotations?.["workflows.argoproj.io/node-name"], "wf.step");
  assertEquals(pod.metadata.annotations?.["workflows.argoproj.io/node-id"]?.startsWith("other"), false);
});
