/**
 * What we did and the watches may not show yet. Reading it together with the copies is what lets a pass follow another
 * at once, without waiting for the copies to catch up (design decision 2).
 */
import type { Pod, Workflow, WorkflowTaskResult } from "../../lib/api/mod.ts";
import { FINALIZER, LABEL } from "../../lib/constants.ts";
import { type Informer, keyOf } from "../../lib/kube/mod.ts";
import { Memory, type Refusal } from "../engine/mod.ts";
import { StoredNodes } from "../record/stored_nodes.ts";
import type { Caches } from "./caches.ts";
import { WorkflowFacts } from "./workflow_facts.ts";

/** What is remembered of one workflow between passes. */
export interface WorkflowRecord {
  readonly uid: string;
  /** What is seen of its nodes, always as of now. */
  readonly facts: WorkflowFacts;
  memory: Memory;
  /** The workflow as last written or parsed, its nodes at their usual place. */
  latest: Workflow;
  stored: StoredNodes;
  /** Somebody wrote after `latest`: nothing is decided before the watch shows what. */
  outdated: boolean;
  /** Since when something was decided that is not written yet, milliseconds since 1970. */
  unwrittenSince?: number | undefined;
  /** How long the last write took, milliseconds. */
  writeMillis?: number;
  /** How long the last decision took, and how long the workflow is left alone because of it, milliseconds. */
  decisionMillis?: number;
  restMillis?: number;
  readonly refusals: Map<string, Refusal>;
  /** Claims known to be there, or known to be gone. */
  readonly claims: Map<string, "present" | "gone">;
}

/** What the ledger reads of the local copies. */
export interface Copies extends Pick<Caches, "podsOf" | "taskResultsOf"> {
  readonly pods: Pick<Informer<Pod>, "get" | "hasSeen" | "onChange">;
  readonly taskResults: Pick<Informer<WorkflowTaskResult>, "onChange">;
}

/** The ledger of a controller. */
export class Ledger {
  readonly #records = new Map<string, WorkflowRecord>();
  readonly #ours = new Map<string, OurPods>();
  readonly #copies: Copies;

  /** To be made before anybody else listens to the copies: who is told of a change finds it in the facts. */
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
      if (type !== "deleted") this.#factsOf(result)?.showTaskResult(result);
    });
  }

  /** The record of a workflow; a new one when a workflow of that name was made anew. */
  recordOf(key: string, workflow: Workflow): WorkflowRecord {
    const uid = workflow.metadata.uid ?? "";
    let record = this.#records.get(key);
    if (!record || record.uid !== uid) {
      record = {
        uid,
        facts: this.#gatherFacts(key, workflow),
        memory: new Memory(),
        latest: workflow,
        stored: storedAs(workflow),
        outdated: false,
        refusals: new Map(),
        claims: new Map(),
      };
      this.#records.set(key, record);
    }
    return record;
  }

  known(key: string): WorkflowRecord | undefined {
    return this.#records.get(key);
  }

  /** Somebody else wrote a workflow: what is known of it is not the newest state. */
  markOutdated(key: string): void {
    const record = this.#records.get(key);
    if (record) record.outdated = true;
  }

  forget(key: string): void {
    this.#records.delete(key);
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
   * How many pods of a workflow may be asked for, beside those that were and are not answered yet. There is room for
   * many again, not for each one anew, so that a large workflow does not take a pass for every pod.
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

  /** The facts about the nodes of a workflow as of now. */
  factsOf(workflowKey: string, record: WorkflowRecord): WorkflowFacts {
    this.#settle(workflowKey);
    return record.facts;
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

  #gatherFacts(key: string, workflow: Workflow): WorkflowFacts {
    const facts = new WorkflowFacts(workflow);
    const { asked, written } = this.#ours.get(key) ?? NOTHING;
    const pods = [...this.#copies.podsOf(key), ...asked.values(), ...written.values()];
    for (const pod of pods) {
      const now = this.#podNow(pod);
      if (now) facts.showPod(now);
    }
    for (const result of this.#copies.taskResultsOf(key)) facts.showTaskResult(result);
    return facts;
  }

  #factsOf(object: Pod | WorkflowTaskResult): WorkflowFacts | undefined {
    return this.#records.get(workflowKeyOf(object))?.facts;
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

/** The form in which the nodes of a workflow lie in the cluster. */
export function storedAs(workflow: Workflow): StoredNodes {
  return new StoredNodes(Boolean(workflow.status?.compressedNodes));
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

/** More pods of one workflow are not asked for at a time: a large workflow does not keep the others waiting. */
const MAX_ASKED = 128;
const ROOM_AGAIN = 64;

function workflowKeyOf({ metadata }: Pod | WorkflowTaskResult): string {
  return `${metadata.namespace}/${metadata.labels?.[LABEL.workflow]}`;
}
