/** The state of one workflow between its passes. Each part has one owner. */
import type { Workflow } from "@tiphys/model/api";
import type { KubeObject } from "@tiphys/kube";
import { ActionOutcomes } from "./apply/outcomes.ts";
import { Memory } from "@tiphys/engine";
import { WorkflowPace } from "./lane/pace.ts";
import { StatusWriting } from "./record/status_writing.ts";

/** The state of one workflow between passes, by its UID. */
export class KnownWorkflow {
  readonly uid: string | undefined;
  /** Its lane, and the pauses between its passes. */
  readonly pace = new WorkflowPace();
  readonly writing = new StatusWriting();
  readonly outcomes = new ActionOutcomes();
  /** The engine's memory; empty while the slow lane has one. */
  memory = new Memory();
  /**
   * The time at which a write of another client after `latest` was detected; nothing is decided before that write is
   * read.
   */
  outdatedSince: number | undefined;
  #latest: Workflow | undefined;
  #isHead = false;

  constructor(uid: string | undefined) {
    this.uid = uid;
  }

  /** The workflow as last written or read, with its nodes in `status.nodes`; undefined before it was read. */
  get latest(): Workflow | undefined {
    return this.#latest;
  }

  /** Whether `latest` lacks the large parts, which the slow lane has. */
  get isWithoutNodes(): boolean {
    return this.#isHead;
  }

  /** Forgets the workflow, which is read again when it is needed. The outcomes of actions stay known. */
  release(): void {
    this.memory = new Memory();
    this.#latest = undefined;
    this.#isHead = false;
  }

  /** Sets the newest state, which was just read or written. */
  setLatest(latest: Workflow, { isHead }: { readonly isHead: boolean }): void {
    this.#latest = latest;
    this.#isHead = isHead;
    this.outdatedSince = undefined;
  }
}

/** The workflows that had a pass, by key. */
export class KnownWorkflows {
  readonly #byKey = new Map<string, KnownWorkflow>();

  /** Returns the state of a workflow; an empty one if a workflow of that name was created again. */
  of(key: string, { metadata: { uid } }: KubeObject): KnownWorkflow {
    let known = this.#byKey.get(key);
    if (!known || known.uid !== uid) this.#byKey.set(key, known = new KnownWorkflow(uid));
    return known;
  }

  get(key: string): KnownWorkflow | undefined {
    return this.#byKey.get(key);
  }

  forget(key: string): void {
    this.#byKey.delete(key);
  }
}
