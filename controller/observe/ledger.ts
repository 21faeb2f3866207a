/**
 * What we did and the watches may not show yet. Reading it together with the copies is what lets a pass follow another
 * at once, without waiting for the copies to catch up (design decision 2).
 */
import type { Pod, Workflow } from "../../lib/api/mod.ts";
import { keyOf } from "../../lib/kube/mod.ts";
import { type Memory, newMemory, type Refusal } from "../engine/mod.ts";
import type { Caches } from "./caches.ts";

/** What is remembered of one workflow between passes. */
export interface WorkflowRecord {
  readonly uid: string;
  readonly memory: Memory;
  /** The workflow as last written or parsed. */
  latest: Workflow;
  /** Somebody wrote after `latest`: nothing is decided before the watch shows what. */
  outdated: boolean;
  readonly refusals: Map<string, Refusal>;
  /** Claims known to be there, or known to be gone. */
  readonly claims: Map<string, "present" | "gone">;
}

/** The ledger of a controller. */
export class Ledger {
  readonly #records = new Map<string, WorkflowRecord>();
  readonly #createdPods = new Map<string, Pod>();
  readonly #caches: Caches;

  constructor(caches: Caches) {
    this.#caches = caches;
    caches.pods.onChange((_type, pod) => this.#createdPods.delete(keyOf(pod)));
  }

  /** The record of a workflow; a new one when a workflow of that name was made anew. */
  recordOf(key: string, workflow: Workflow): WorkflowRecord {
    const uid = workflow.metadata.uid ?? "";
    let record = this.#records.get(key);
    if (!record || record.uid !== uid) {
      record = { uid, memory: newMemory(), latest: workflow, outdated: false, refusals: new Map(), claims: new Map() };
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

  /** A pod that was just created; the watch will show it. */
  podCreated(pod: Pod): void {
    if (!this.#caches.pods.hasSeen(pod.metadata.resourceVersion ?? "0")) this.#createdPods.set(keyOf(pod), pod);
  }

  /** The pods of a workflow: those the watch shows, and those it does not show yet. */
  podsOf(workflowKey: string, label: string): Pod[] {
    const pods = this.#caches.podsOf(workflowKey);
    if (this.#createdPods.size === 0) return pods;
    const [namespace, name] = workflowKey.split("/");
    for (const [key, pod] of this.#createdPods) {
      if (pod.metadata.namespace !== namespace || pod.metadata.labels?.[label] !== name) continue;
      if (this.#caches.pods.get(key)) continue;
      if (this.#caches.pods.hasSeen(pod.metadata.resourceVersion ?? "0")) this.#createdPods.delete(key);
      else pods.push(pod);
    }
    return pods;
  }
}
