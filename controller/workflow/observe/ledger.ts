/**
 * The ledger: what we wrote and made ourselves, and the watches may not show yet. Reading it together with the copies
 * is what lets a pass follow another at once, without waiting for the copies to catch up.
 */
import type { Pod } from "@tiphys/model/api";
import { FINALIZER, LABEL } from "@tiphys/base/constants";
import { type Informer, keyOf, type KubeObject } from "@tiphys/kube";
import type { Caches } from "./caches.ts";
import { type Owner, WorkflowFacts } from "./workflow_facts.ts";

/** The local copies, as far as the ledger reads them. */
export interface Copies extends Pick<Caches, "podsOf" | "taskResultsOf"> {
  readonly pods: Pick<Informer<Pod>, "get" | "hasSeen" | "onChange">;
  readonly taskResults: Pick<Caches["taskResults"], "onChange" | "readObject">;
}

/** The ledger of a controller. */
export class Ledger {
  readonly #facts = new Map<string, WorkflowFacts>();
  readonly #ours = new Map<string, OurPods>();
  readonly #copies: Copies;

  /** The ledger is to be made before others listen to the copies: who is told of a change finds it in the facts. */
  constructor(copies: Copies) {
    this.#copies = copies;
    copies.pods.onChange((_type, pod, old) => {
      if (old && workflowKeyOf(old) !== workflowKeyOf(pod)) this.#show(old);
      const written = this.#ours.get(workflowKeyOf(pod))?.written;
      const ours = written?.get(keyOf(pod));
      if (ours && this.#isSeen(ours)) written!.delete(keyOf(pod));
      this.#show(pod);
    });
    copies.taskResults.onChange((type, result, old) => {
      if (old) this.#factsOf(old)?.hideTaskResult(old);
      if (type !== "deleted") this.#factsOf(result)?.showTaskResult(result, copies.taskResults.readObject(result));
    });
  }

  /** The facts about the nodes of a workflow as of now; new ones when a workflow of that name was made anew. */
  factsOf(key: string, workflow: Owner): WorkflowFacts {
    this.#settle(key);
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
   * A pod that is being created: it counts as there until the answer comes. What is returned is to be called then, and
   * says whether pods that found no room should be asked for now.
   */
  podAsked(pod: Pod): () => boolean {
    const { asked } = this.#oursOf(workflowKeyOf(pod));
    asked.set(keyOf(pod), pod);
    this.#show(pod);
    return () => {
      const isAnswer = asked.delete(keyOf(pod));
      this.#show(pod);
      return isAnswer && asked.size === ROOM_AGAIN;
    };
  }

  /**
   * A pod that is being labelled as completed and released: it counts as that until the answer comes, so that no pass
   * asks for it again meanwhile. What is returned is to be called then.
   */
  podFinishing(pod: Pod): () => void {
    const { finishing } = this.#oursOf(workflowKeyOf(pod));
    finishing.add(keyOf(pod));
    this.#show(pod);
    return () => {
      finishing.delete(keyOf(pod));
      this.#show(pod);
    };
  }

  /**
   * The same for who is no pass: the answer takes the pod as it was written, if it was. Undefined where a pass, or whoever
   * asked before, is finishing the pod.
   */
  podFinishingOnce(pod: Pod): ((written: Pod | undefined) => void) | undefined {
    if (this.#ours.get(workflowKeyOf(pod))?.finishing.has(keyOf(pod))) return undefined;
    const answered = this.podFinishing(pod);
    return (written) => {
      this.podWritten(written);
      answered();
    };
  }

  /**
   * The number of pods of a workflow that may be asked for, beside those that were and are not answered yet. There is
   * room for many again, not for each one anew, so that a large workflow does not take a pass for every pod.
   */
  podRoom(workflowKey: string): number {
    const asked = this.#ours.get(workflowKey)?.asked.size ?? 0;
    return asked > ROOM_AGAIN ? 0 : MAX_ASKED - asked;
  }

  /** A pod as the server answered it; the watch will show it so, or newer. */
  podWritten(pod: Pod | undefined): void {
    if (!pod || this.#isSeen(pod)) return;
    this.#oursOf(workflowKeyOf(pod)).written.set(keyOf(pod), pod);
    this.#show(pod);
  }

  /** Whether something is under way for pods of a workflow, or done and not seen in the watch yet. */
  isAwaited(workflowKey: string): boolean {
    this.#settle(workflowKey);
    return this.#ours.has(workflowKey);
  }

  /** Lets go of what the watch has shown by now. A pod that it never will show is gone. */
  #settle(workflowKey: string): void {
    const ours = this.#ours.get(workflowKey);
    if (!ours) return;
    for (const [key, pod] of ours.written) {
      // Nearly all are let go of when the watch shows them; the few others can wait for those before them.
      if (!this.#isSeen(pod)) break;
      ours.written.delete(key);
      this.#show(pod);
    }
    if (ours.written.size + ours.asked.size + ours.finishing.size === 0) this.#ours.delete(workflowKey);
  }

  #isSeen(pod: Pod): boolean {
    return this.#copies.pods.hasSeen(pod.metadata.resourceVersion ?? "0");
  }

  #gatherFacts(key: string, workflow: Owner): WorkflowFacts {
    const facts = new WorkflowFacts(workflow);
    const { asked, written } = this.#ours.get(key) ?? NOTHING;
    const pods = [...this.#copies.podsOf(key), ...asked.values(), ...written.values()];
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

  /** Brings a pod's place in the facts up to date. */
  #show(pod: Pod): void {
    const facts = this.#factsOf(pod);
    if (!facts) return;
    const now = this.#podNow(pod);
    if (now) facts.showPod(now);
    else facts.hidePod(pod);
  }

  /** A pod as we wrote it, as the watch shows it or as we asked for it: the newest of these. */
  #podNow(pod: Pod): Pod | undefined {
    const key = keyOf(pod);
    const { asked, written, finishing } = this.#ours.get(workflowKeyOf(pod)) ?? NOTHING;
    const ours = written.get(key);
    const shown = this.#copies.pods.get(key);
    const isShown = shown !== undefined && workflowKeyOf(shown) === workflowKeyOf(pod);
    const now = ours && !this.#isSeen(ours) ? ours : isShown ? shown : asked.get(key);
    return now && finishing.has(key) ? asFinished(now) : now;
  }

  #oursOf(workflowKey: string): OurPods {
    let ours = this.#ours.get(workflowKey);
    if (!ours) this.#ours.set(workflowKey, ours = { asked: new Map(), written: new Map(), finishing: new Set() });
    return ours;
  }
}

/** Pods of a workflow that we did something to, by `namespace/name`. */
interface OurPods {
  readonly asked: Map<string, Pod>;
  readonly written: Map<string, Pod>;
  readonly finishing: Set<string>;
}

const NOTHING: OurPods = { asked: new Map(), written: new Map(), finishing: new Set() };

/** A pod as it will be when it is labelled as completed, and not held by us any more. */
function asFinished(pod: Pod): Pod {
  const { labels, finalizers } = pod.metadata;
  const metadata = {
    ...pod.metadata,
    labels: { ...labels, [LABEL.completed]: "true" },
    finalizers: finalizers?.filter((finalizer) => finalizer !== FINALIZER.podStatus),
  };
  return { ...pod, metadata };
}

/** The most pods of one workflow that are asked for at a time: a large workflow does not keep the others waiting. */
const MAX_ASKED = 128;
const ROOM_AGAIN = 64;

function workflowKeyOf({ metadata }: Pod | KubeObject): string {
  return `${metadata.namespace}/${metadata.labels?.[LABEL.workflow]}`;
}
