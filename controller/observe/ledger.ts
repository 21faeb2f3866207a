/**
 * What we did and the watches may not show yet. Reading it together with the copies is what lets a pass follow another
 * at once, without waiting for the copies to catch up (design decision 2).
 */
import type { Pod, Workflow } from "../../lib/api/mod.ts";
import { LABEL } from "../../lib/constants.ts";
import { keyOf } from "../../lib/kube/mod.ts";
import { type Memory, newMemory, type Refusal } from "../engine/mod.ts";
import { StoredNodes } from "../record/stored_nodes.ts";
import type { Caches } from "./caches.ts";

/** What is remembered of one workflow between passes. */
export interface WorkflowRecord {
  readonly uid: string;
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

/** The ledger of a controller. */
export class Ledger {
  readonly #records = new Map<string, WorkflowRecord>();
  readonly #ours = new Map<string, OurPods>();
  readonly #caches: Caches;

  constructor(caches: Caches) {
    this.#caches = caches;
  }

  /** The record of a workflow; a new one when a workflow of that name was made anew. */
  recordOf(key: string, workflow: Workflow): WorkflowRecord {
    const uid = workflow.metadata.uid ?? "";
    let record = this.#records.get(key);
    if (!record || record.uid !== uid) {
      record = {
        uid,
        memory: newMemory(),
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
    return () => asked.delete(keyOf(pod)) && asked.size === ROOM_AGAIN;
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
    if (!pod || this.#caches.pods.hasSeen(pod.metadata.resourceVersion ?? "0")) return;
    this.#oursOf(workflowKeyOf(pod)).written.set(keyOf(pod), pod);
  }

  /** The pods of a workflow: those the watch shows, and those it does not show yet, or not as we left them. */
  podsOf(workflowKey: string): Pod[] {
    const pods = this.#caches.podsOf(workflowKey);
    const ours = this.#ours.get(workflowKey);
    if (!ours) return pods;
    for (const [key, pod] of ours.written) {
      if (this.#caches.pods.hasSeen(pod.metadata.resourceVersion ?? "0")) ours.written.delete(key);
    }
    if (ours.written.size === 0 && ours.asked.size === 0) {
      this.#ours.delete(workflowKey);
      return pods;
    }
    const shown = pods.map((pod) => ours.written.get(keyOf(pod)) ?? pod);
    const known = new Set(pods.map(keyOf));
    for (const [key, pod] of [...ours.asked, ...ours.written]) {
      if (known.has(key)) continue;
      known.add(key);
      shown.push(ours.written.get(key) ?? pod);
    }
    return shown;
  }

  #oursOf(workflowKey: string): OurPods {
    let ours = this.#ours.get(workflowKey);
    if (!ours) this.#ours.set(workflowKey, ours = { asked: new Map(), written: new Map() });
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
}

/** More pods of one workflow are not asked for at a time: a large workflow does not keep the others waiting. */
const MAX_ASKED = 128;
const ROOM_AGAIN = 64;

function workflowKeyOf(pod: Pod): string {
  return `${pod.metadata.namespace}/${pod.metadata.labels?.[LABEL.workflow]}`;
}
