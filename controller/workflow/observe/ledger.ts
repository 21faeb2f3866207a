/**
 * The ledger: the controller's own writes and creations that the watches may not show yet. Together with the copies it
 * lets a pass follow another at once, without waiting for the copies to catch up.
 */
import type { Pod } from "@tiphys/model/api";
import { FINALIZER, LABEL } from "@tiphys/base/constants";
import { keyOf, type KubeObject } from "@tiphys/kube";
import type { Informer } from "@tiphys/kube/informers";
import type { Caches } from "./caches.ts";
import { type Owner, WorkflowFacts } from "./workflow_facts.ts";

/** The local copies that the ledger reads. */
export interface Copies extends Pick<Caches, "podsOf" | "taskResultsOf"> {
  readonly pods: Pick<Informer<Pod>, "get" | "hasSeen" | "onChange">;
  readonly taskResults: Pick<Caches["taskResults"], "onChange" | "readObject">;
}

/** The ledger of a controller. */
export class Ledger {
  readonly #facts = new Map<string, WorkflowFacts>();
  readonly #ours = new Map<string, WrittenPods>();
  readonly #copies: Copies;

  /** Create the ledger before other listeners of the copies, so that a listener finds each change in the facts. */
  constructor(copies: Copies) {
    this.#copies = copies;
    copies.pods.onChange((_type, pod, old) => {
      if (old && workflowKeyOf(old) !== workflowKeyOf(pod)) this.#show(old);
      const written = this.#ours.get(workflowKeyOf(pod))?.written;
      const ours = written?.get(keyOf(pod));
      if (ours && this.#isInCopy(ours)) written!.delete(keyOf(pod));
      this.#show(pod);
    });
    copies.taskResults.onChange((type, result, old) => {
      if (old) this.#factsOf(old)?.hideTaskResult(old);
      if (type !== "deleted") this.#factsOf(result)?.showTaskResult(result, copies.taskResults.readObject(result));
    });
  }

  /** The facts about the nodes of a workflow as of now; new ones if a workflow of that name was created again. */
  factsOf(key: string, workflow: Owner): WorkflowFacts {
    this.#forgetShown(key);
    let facts = this.#facts.get(key);
    if (!facts || facts.uid !== workflow.metadata.uid) {
      facts = this.#gatherFacts(key, workflow);
      this.#facts.set(key, facts);
    }
    return facts;
  }

  forget(key: string): void {
    this.#facts.delete(key);
  }

  /**
   * Records that a pod is being created: it counts as present until the response. Call the returned function then; it
   * returns whether pods that did not fit may be requested now.
   */
  recordPodRequest(pod: Pod): () => boolean {
    const { requested } = this.#writesOf(workflowKeyOf(pod));
    requested.set(keyOf(pod), pod);
    this.#show(pod);
    return () => {
      const isAnswer = requested.delete(keyOf(pod));
      this.#show(pod);
      return isAnswer && requested.size === ROOM_AGAIN;
    };
  }

  /**
   * Records that a pod is being labeled as completed and released: it counts as such until the response, so that no
   * pass requests it again. Call the returned function then.
   */
  podFinishing(pod: Pod): () => void {
    const { finishing } = this.#writesOf(workflowKeyOf(pod));
    finishing.add(keyOf(pod));
    this.#show(pod);
    return () => {
      finishing.delete(keyOf(pod));
      this.#show(pod);
    };
  }

  /**
   * Same as `podFinishing`, outside of a pass; the response includes the pod as it was written, if it was. Undefined if
   * the pod is being finished already.
   */
  podFinishingOnce(pod: Pod): ((written: Pod | undefined) => void) | undefined {
    if (this.#ours.get(workflowKeyOf(pod))?.finishing.has(keyOf(pod))) return undefined;
    const answered = this.podFinishing(pod);
    return (written) => {
      this.recordPodWrite(written);
      answered();
    };
  }

  /**
   * The number of further pods of a workflow that may be requested while others have no response yet. Many are allowed
   * at a time, so that a large workflow does not need a pass for every pod.
   */
  maxPodRequests(workflowKey: string): number {
    const requested = this.#ours.get(workflowKey)?.requested.size ?? 0;
    return requested > ROOM_AGAIN ? 0 : MAX_REQUESTED - requested;
  }

  /** Records a pod as the server returned it; the watch will show it in this version or a later one. */
  recordPodWrite(pod: Pod | undefined): void {
    if (!pod || this.#isInCopy(pod)) return;
    this.#writesOf(workflowKeyOf(pod)).written.set(keyOf(pod), pod);
    this.#show(pod);
  }

  /** Whether requests for pods of a workflow are in progress, or done and not visible in the watch yet. */
  isAwaited(workflowKey: string): boolean {
    this.#forgetShown(workflowKey);
    return this.#ours.has(workflowKey);
  }

  /** Removes the written pods that the watch has shown by now. A pod that the watch will never show is gone. */
  #forgetShown(workflowKey: string): void {
    const ours = this.#ours.get(workflowKey);
    if (!ours) return;
    for (const [key, pod] of ours.written) {
      // Nearly all can be forgotten in the order of the watch; the few others may wait for those before them.
      if (!this.#isInCopy(pod)) break;
      ours.written.delete(key);
      this.#show(pod);
    }
    if (ours.written.size + ours.requested.size + ours.finishing.size === 0) this.#ours.delete(workflowKey);
  }

  #isInCopy(pod: Pod): boolean {
    return this.#copies.pods.hasSeen(pod.metadata.resourceVersion ?? "0");
  }

  #gatherFacts(key: string, workflow: Owner): WorkflowFacts {
    const facts = new WorkflowFacts(workflow);
    const { requested, written } = this.#ours.get(key) ?? NOTHING;
    const pods = [...this.#copies.podsOf(key), ...requested.values(), ...written.values()];
    for (const pod of pods) {
      const now = this.#podNow(pod);
      if (now) facts.showPod(now);
    }
    for (const result of this.#copies.taskResultsOf(key)) {
      facts.showTaskResult(result, this.#copies.taskResults.readObject(result));
    }
    return facts;
  }

  #factsOf(object: Pod | KubeObject): WorkflowFacts | undefined {
    return this.#facts.get(workflowKeyOf(object));
  }

  /** Updates a pod in the facts. */
  #show(pod: Pod): void {
    const facts = this.#factsOf(pod);
    if (!facts) return;
    const now = this.#podNow(pod);
    if (now) facts.showPod(now);
    else facts.removePod(pod);
  }

  /** The newest version of a pod: as it was written, as the watch shows it, or as it was requested. */
  #podNow(pod: Pod): Pod | undefined {
    const key = keyOf(pod);
    const { requested, written, finishing } = this.#ours.get(workflowKeyOf(pod)) ?? NOTHING;
    const ours = written.get(key);
    const shown = this.#copies.pods.get(key);
    const isShown = shown !== undefined && workflowKeyOf(shown) === workflowKeyOf(pod);
    const now = ours && !this.#isInCopy(ours) ? ours : isShown ? shown : requested.get(key);
    return now && finishing.has(key) ? releasedPod(now) : now;
  }

  #writesOf(workflowKey: string): WrittenPods {
    let ours = this.#ours.get(workflowKey);
    if (!ours) this.#ours.set(workflowKey, ours = { requested: new Map(), written: new Map(), finishing: new Set() });
    return ours;
  }
}

/** Pods of a workflow that were written, by `namespace/name`. */
interface WrittenPods {
  readonly requested: Map<string, Pod>;
  readonly written: Map<string, Pod>;
  readonly finishing: Set<string>;
}

const NOTHING: WrittenPods = { requested: new Map(), written: new Map(), finishing: new Set() };

/** A pod as it will be when it is labeled as completed and released. */
function releasedPod(pod: Pod): Pod {
  const { labels, finalizers } = pod.metadata;
  const metadata = {
    ...pod.metadata,
    labels: { ...labels, [LABEL.completed]: "true" },
    finalizers: finalizers?.filter((finalizer) => finalizer !== FINALIZER.podStatus),
  };
  return { ...pod, metadata };
}

/**
 * The maximum number of pods of one workflow that are requested at a time, so that a large workflow does not delay
 * others.
 */
const MAX_REQUESTED = 128;
const ROOM_AGAIN = 64;

function workflowKeyOf({ metadata }: Pod | KubeObject): string {
  return `${metadata.namespace}/${metadata.labels?.[LABEL.workflow]}`;
}
