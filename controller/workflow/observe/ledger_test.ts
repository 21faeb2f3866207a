import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { type Pod, type ReadResult, readTaskResult, type Workflow, type WorkflowTaskResult } from "@tiphys/model/api";
import { ANNOTATION, FINALIZER, LABEL } from "@tiphys/base/constants";
import { keyOf, type KubeObject } from "@tiphys/kube";
import type { ChangeHandler } from "@tiphys/kube/informers";
import { Ledger } from "./ledger.ts";

const KEY = "ns/w";
const WORKFLOW: Workflow = { metadata: { name: "w", namespace: "ns", uid: "uid-1" }, spec: {} };

function podOf(node: string, resourceVersion: number, workflow = "w"): Pod {
  return {
    metadata: {
      name: `pod-${node}`,
      namespace: "ns",
      uid: `uid-of-${node}`,
      resourceVersion: String(resourceVersion),
      labels: { [LABEL.workflow]: workflow },
      annotations: { [ANNOTATION.nodeId]: node },
      finalizers: [FINALIZER.podStatus],
      ownerReferences: [{ apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", name: workflow, uid: "uid-1" }],
    },
    spec: { containers: [] },
  };
}

function reportOf(node: string, resourceVersion: number): KubeObject {
  const labels = { [LABEL.workflow]: "w" };
  return { metadata: { name: node, namespace: "ns", resourceVersion: String(resourceVersion), labels } };
}

/** Local copies that the test changes as a watch would. */
class Copies {
  seen = 0;
  readonly pods = new Copy<Pod>(() => this.seen);
  readonly taskResults = new Reports(() => this.seen);
  readonly podsOf = (key: string) => this.pods.list().filter((pod) => keyOfWorkflow(pod) === key);
  readonly taskResultsOf = (key: string) => this.taskResults.list().filter((result) => keyOfWorkflow(result) === key);
}

function keyOfWorkflow({ metadata }: Pod | KubeObject): string {
  return `${metadata.namespace}/${metadata.labels?.[LABEL.workflow]}`;
}

class Copy<T extends Pod | KubeObject> {
  readonly #objects = new Map<string, T>();
  readonly #handlers: ChangeHandler<T>[] = [];
  readonly #seen: () => number;

  constructor(seen: () => number) {
    this.#seen = seen;
  }

  readonly list = () => [...this.#objects.values()];
  readonly get = (key: string) => this.#objects.get(key);
  readonly hasSeen = (resourceVersion: string) => this.#seen() >= Number(resourceVersion);
  readonly onChange = (handler: ChangeHandler<T>) => void this.#handlers.push(handler);

  show(object: T): void {
    const old = this.#objects.get(keyOf(object));
    this.#objects.set(keyOf(object), object);
    for (const handler of this.#handlers) handler(old ? "modified" : "added", object, old);
  }

  hide(key: string): void {
    const old = this.#objects.get(key);
    if (!old) return;
    this.#objects.delete(key);
    for (const handler of this.#handlers) handler("deleted", old, old);
  }
}

class Reports extends Copy<KubeObject> {
  readonly #answers = new WeakMap<KubeObject, ReadResult<WorkflowTaskResult>>();

  readonly readObject = (object: KubeObject) => {
    if (!this.#answers.has(object)) this.#answers.set(object, readTaskResult(object));
    return this.#answers.get(object)!;
  };
}

/** An event of the pod and the report of a node. */
const happening = fc.record({
  node: fc.constantFrom("a", "b", "c"),
  what: fc.constantFrom(
    "shown",
    "moved",
    "vanished",
    "requested",
    "created",
    "refused",
    "finishing",
    "finished",
    "failed to finish",
    "reported",
    "report gone",
    "seen otherwise",
    "passed",
  ),
});

Deno.test("ledger: the updated facts of a workflow equal facts collected from scratch, and the log contains each change", () => {
  fc.assert(
    fc.property(fc.array(happening, { maxLength: 60 }), (happenings) => {
      const copies = new Copies();
      const ledger = new Ledger(copies);
      const facts = ledger.factsOf(KEY, WORKFLOW);
      const answers = new Map<string, () => unknown>();
      /** The facts as a reader of the log has them. */
      const logged = { pods: new Map<string, Pod>(), taskResults: new Map<string, ReadResult<WorkflowTaskResult>>() };
      let version = 0;
      let mark = facts.changes.position;
      const watched = (act: () => void) => {
        copies.seen = version;
        act();
      };
      const answer = (subject: string) => {
        answers.get(subject)?.();
        answers.delete(subject);
      };
      for (const { node, what } of happenings) {
        const pod = podOf(node, ++version);
        switch (what) {
          case "shown":
            watched(() => copies.pods.show(pod));
            break;
          case "moved":
            watched(() => copies.pods.show(podOf(node, version, "other")));
            break;
          case "vanished":
            watched(() => copies.pods.hide(keyOf(pod)));
            break;
          case "requested":
            answers.set(`ask ${node}`, ledger.recordPodRequest(pod));
            break;
          case "created":
            if (answers.has(`ask ${node}`)) ledger.recordPodWrite(pod);
            answer(`ask ${node}`);
            break;
          case "refused":
            answer(`ask ${node}`);
            break;
          case "finishing":
            answers.set(`finish ${node}`, ledger.podFinishing(pod));
            break;
          case "finished":
            if (answers.has(`finish ${node}`)) ledger.recordPodWrite(pod);
            answer(`finish ${node}`);
            break;
          case "failed to finish":
            answer(`finish ${node}`);
            break;
          case "reported":
            watched(() => copies.taskResults.show(reportOf(node, version)));
            break;
          case "report gone":
            watched(() => copies.taskResults.hide(`ns/${node}`));
            break;
          case "seen otherwise":
            copies.seen = version;
            break;
          case "passed":
            ledger.factsOf(KEY, WORKFLOW);
        }
        for (const id of facts.changes.since(mark)!) {
          copyEntry(facts.pods, logged.pods, id);
          copyEntry(facts.taskResults, logged.taskResults, id);
        }
        mark = facts.changes.position;
      }
      ledger.factsOf(KEY, WORKFLOW);
      for (const id of facts.changes.since(mark)!) copyEntry(facts.pods, logged.pods, id);
      ledger.forget(KEY);
      const anew = ledger.factsOf(KEY, WORKFLOW);
      assertEquals(sorted(facts.pods), sorted(anew.pods));
      assertEquals(sorted(facts.taskResults), sorted(anew.taskResults));
      assertEquals(sorted(logged.pods), sorted(anew.pods));
      assertEquals(sorted(logged.taskResults), sorted(anew.taskResults));
    }),
    { numRuns: 300 },
  );
});

function copyEntry<T>(from: ReadonlyMap<string, T>, to: Map<string, T>, key: string): void {
  if (from.has(key)) to.set(key, from.get(key)!);
  else to.delete(key);
}

function sorted<T>(map: ReadonlyMap<string, T>): [string, T][] {
  return [...map].sort(([a], [b]) => a.localeCompare(b));
}

Deno.test("ledger: a requested pod counts as present until the request is refused", () => {
  const ledger = new Ledger(new Copies());
  const facts = ledger.factsOf(KEY, WORKFLOW);
  const answered = ledger.recordPodRequest(podOf("a", 1));
  assertEquals([...facts.pods.keys()], ["a"]);
  answered();
  assertEquals([...facts.pods.keys()], []);
});

Deno.test("ledger: a created pod counts as present until the watch shows its state", () => {
  const copies = new Copies();
  const ledger = new Ledger(copies);
  ledger.factsOf(KEY, WORKFLOW);
  ledger.recordPodWrite(podOf("a", 5));
  assertEquals([...ledger.factsOf(KEY, WORKFLOW).pods.keys()], ["a"]);
  // It was deleted while the watch was interrupted: the new list does not contain it.
  copies.seen = 9;
  assertEquals([...ledger.factsOf(KEY, WORKFLOW).pods.keys()], []);
  assertEquals(ledger.isAwaited(KEY), false);
});

Deno.test("ledger: a pod that is being finished counts as finished, and as before if that fails", () => {
  const copies = new Copies();
  const ledger = new Ledger(copies);
  const facts = ledger.factsOf(KEY, WORKFLOW);
  const pod = podOf("a", 1);
  copies.seen = 1;
  copies.pods.show(pod);
  const answered = ledger.podFinishing(pod);
  const { labels, finalizers } = facts.pods.get("a")!.metadata;
  assertEquals([labels?.[LABEL.completed], finalizers], ["true", []]);
  answered();
  assertEquals(facts.pods.get("a"), pod);
});

Deno.test("ledger: a pod is finished only once, and has its written state until the watch shows it", () => {
  const copies = new Copies();
  const ledger = new Ledger(copies);
  const facts = ledger.factsOf(KEY, WORKFLOW);
  const pod = podOf("a", 1);
  copies.seen = 1;
  copies.pods.show(pod);
  const answered = ledger.podFinishingOnce(pod);
  assertEquals(ledger.podFinishingOnce(pod), undefined);
  const written = podOf("a", 2);
  answered!(written);
  assertEquals(facts.pods.get("a"), written);
  ledger.podFinishing(written);
  assertEquals(ledger.podFinishingOnce(written), undefined);
});

Deno.test("ledger: ignores objects of an earlier workflow of the same name", () => {
  const copies = new Copies();
  const ledger = new Ledger(copies);
  const facts = ledger.factsOf(KEY, WORKFLOW);
  const pod = podOf("a", 1);
  const owner = { apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", name: "w", uid: "uid-0" };
  copies.pods.show({ ...pod, metadata: { ...pod.metadata, ownerReferences: [owner] } });
  assertEquals(facts.pods.size, 0);
});

Deno.test("ledger: ignores a pod that has the label of a workflow but belongs to another owner", () => {
  const copies = new Copies();
  const facts = new Ledger(copies).factsOf(KEY, WORKFLOW);
  const { ownerReferences: _none, ...metadata } = podOf("a", 1).metadata;
  copies.pods.show({ metadata, spec: { containers: [] } });
  assertEquals(facts.pods.size, 0);
});

Deno.test("ledger: pods that exceed the limit are requested again once, when about half of those in flight have a response", () => {
  const ledger = new Ledger(new Copies());
  const answers = Array.from({ length: 128 }, (_, index) => ledger.recordPodRequest(podOf(`n${index}`, 1)));
  assertEquals(ledger.maxPodRequests(KEY), 0);
  const room = answers.map((answered) => [answered(), ledger.maxPodRequests(KEY)] as const);
  assertEquals(room.flatMap(([isNews], index) => isNews ? [index] : []), [63]);
  assertEquals([62, 63, 64, 127].map((index) => room[index]![1]), [0, 64, 65, 128]);
});
