/** A draft of a cron workflow's status, labels and annotations: the only object that a decision writes. */
import type { CronWorkflow, CronWorkflowStatus, ObjectReference } from "@tiphys/model/api";
import { ANNOTATION, LABEL } from "@tiphys/base/constants";
import { sameJson } from "@tiphys/kube/patch";
import { shortened } from "@tiphys/base/limits";
import { timeText } from "@tiphys/model/status";

/** The types of conditions that a cron workflow can have. */
export type ConditionType = "SpecError" | "SubmissionError";

/** The status before a decision, and the changes that the decision makes. */
export class CronDraft {
  readonly #before: CronWorkflow;
  #status: CronWorkflowStatus;
  #labels: Record<string, string>;
  #annotations: Record<string, string>;

  constructor(cron: CronWorkflow) {
    this.#before = cron;
    this.#status = cron.status ?? {};
    this.#labels = cron.metadata.labels ?? {};
    this.#annotations = cron.metadata.annotations ?? {};
  }

  get active(): readonly ObjectReference[] {
    return this.#status.active ?? [];
  }

  get isStopped(): boolean {
    return this.#status.phase === "Stopped";
  }

  /** Milliseconds since 1970. */
  get lastScheduledTime(): number | undefined {
    const time = Date.parse(this.#status.lastScheduledTime ?? "");
    return Number.isNaN(time) ? undefined : time;
  }

  get status(): CronWorkflowStatus {
    return this.#status;
  }

  /** A child is running or pending. */
  addActive(child: ObjectReference): void {
    if (this.active.some(({ uid }) => uid === child.uid)) return;
    this.#set({ active: [...this.active, child], ...(this.isStopped ? {} : { phase: "Active" }) });
  }

  removeActive(leaves: (child: ObjectReference) => boolean): void {
    const active = this.active.filter((child) => !leaves(child));
    if (active.length !== this.active.length) this.#set({ active });
  }

  /** A child has ended. */
  countEnd(phase: string): void {
    if (phase === "Succeeded") this.#set({ succeeded: (this.#status.succeeded ?? 0) + 1 });
    else this.countFailure();
  }

  countFailure(): void {
    this.#set({ failed: (this.#status.failed ?? 0) + 1 });
  }

  /** A child was created for a slot. */
  recordScheduled(slot: number): void {
    if (slot > (this.lastScheduledTime ?? -Infinity)) this.#set({ lastScheduledTime: timeText(new Date(slot)) });
  }

  /** Sets a condition with its error message, or removes it if the message is undefined. */
  setCondition(type: ConditionType, message: string | undefined): void {
    const { conditions = [] } = this.#status;
    const index = conditions.findIndex((condition) => condition.type === type);
    const condition = message === undefined ? [] : [{ type, status: "True" as const, message: shortened(message) }];
    if (index >= 0) this.#set({ conditions: conditions.toSpliced(index, 1, ...condition) });
    else if (message !== undefined) this.#set({ conditions: [...conditions, ...condition] });
  }

  hasCondition(type: ConditionType): boolean {
    return this.#status.conditions?.some((condition) => condition.type === type) ?? false;
  }

  /** Marks the cron workflow as stopped; `by` is the stop condition. */
  stop(by: string): void {
    this.#set({ phase: "Stopped" });
    this.#labels = { ...this.#labels, [LABEL.cronCompleted]: "true" };
    this.#annotations = { ...this.#annotations, [ANNOTATION.stoppedBy]: by };
  }

  /** Resumes the cron workflow, with counters reset to zero. */
  resume(): void {
    this.#set({ phase: "Active", succeeded: 0, failed: 0 });
    const { [LABEL.cronCompleted]: _label, ...labels } = this.#labels;
    const { [ANNOTATION.stoppedBy]: _by, ...annotations } = this.#annotations;
    this.#labels = labels;
    this.#annotations = annotations;
  }

  annotation(name: string): string | undefined {
    return this.#annotations[name];
  }

  label(name: string): string | undefined {
    return this.#labels[name];
  }

  annotate(name: string, value: string): void {
    if (this.#annotations[name] !== value) this.#annotations = { ...this.#annotations, [name]: value };
  }

  /**
   * The cron workflow with the drafted changes; the same object if nothing changed. As in Argo, a written status always
   * contains the counters and the phase, even if they are empty.
   */
  toCronWorkflow(): CronWorkflow {
    const { metadata, status = {} } = this.#before;
    const next = { ...this.#status };
    if (next.active?.length === 0) delete next.active;
    const isSame = sameJson(next, status) && sameJson(this.#labels, metadata.labels ?? {}) &&
      sameJson(this.#annotations, metadata.annotations ?? {});
    if (isSame) return this.#before;
    return {
      ...this.#before,
      metadata: { ...metadata, labels: this.#labels, annotations: this.#annotations },
      status: { succeeded: 0, failed: 0, phase: "", ...next },
    };
  }

  #set(change: Partial<CronWorkflowStatus>): void {
    this.#status = { ...this.#status, ...change };
  }
}
