/** The knowledge of one workflow between its passes, each part with the one who owns it. */
import type { Workflow } from "@tiphys/model/api";
import type { KubeObject } from "@tiphys/kube";
import { ActionOutcomes } from "./apply/outcomes.ts";
import { Memory } from "@tiphys/engine";
import { WorkflowPace } from "./lane/pace.ts";
import { StatusWriting } from "./record/status_writing.ts";

/** The state of one workflow between passes, by its UID. */
export class KnownWorkflow {
  readonly uid: string | undefined;
  /** The lane in which it is worked, and its rests. */
  readonly pace = new WorkflowPace();
  readonly writing = new StatusWriting();
  readonly outcomes = new ActionOutcomes();
  /** The engine's; empty while the slow lane keeps one. */
  memory = new Memory();
  /** The time at which it was found that somebody wrote after `latest`; nothing is decided before that is read. */
  outdatedSince: number | undefined;
  #latest: Workflow | undefined;
  #isHead = false;

  constructor(uid: string | undefined) {
    this.uid = uid;
  }

  /** The workflow as last written or read, its nodes at their usual place; undefined before it was read. */
  get latest(): Workflow | undefined {
    return this.#latest;
  }

  /** `latest` is without what may be large: the slow lane has the whole. */
  get isHead(): boolean {
    return this.#isHead;
  }

  /** The workflow is forgotten; it is read anew when it is needed. What actions came to stays known. */
  letGo(): void {
    this.memory = new Memory();
    this.#latest = undefined;
    this.#isHead = false;
  }

  /** The newest state is known: it was read, or we have just written it. */
  isNow(latest: Workflow, { isHead }: { readonly isHead: boolean }): void {
    this.#latest = latest;
    this.#isHead = isHead;
    this.outdatedSince = undefined;
  }
}

/** The workflows that were worked, by key. */
export class KnownWorkflows {
  readonly #known = new Map<string, KnownWorkflow>();

  /** The state that is kept of a workflow; an empty one when a workflow of that name was made anew. */
  of(key: string, { metadata: { uid } }: KubeObject): KnownWorkflow {
    let known = this.#known.get(key);
    if (!known || known.uid !== uid) this.#known.set(key, known = new KnownWorkflow(uid));
    return known;
  }

  get(key: string): KnownWorkflow | undefined {
    return this.#known.get(key);
  }

  forget(key: string): void {
    this.#known.delete(key);
  }
}
