/** Children by their cron workflow: kept as the copy of the workflows changes. Those that were deleted stay until a pass has seen it. */
import { ANNOTATION } from "@tiphys/base/constants";
import { fieldsOf } from "@tiphys/base/fields_of";
import { type ChangeHandler, keyOf, type KubeObject } from "@tiphys/kube";
import { millisOf } from "@tiphys/model/status";
import type { Child } from "./types.ts";

/** The copy of the workflows, as far as the index listens to it. */
export interface WorkflowCopy {
  /** Whether the first list is in. */
  readonly synced: boolean;
  onChange(handler: ChangeHandler<KubeObject>): void;
}

/** To be made before the copy is started: what is there at the start is told from what is made later. */
export class ChildIndex {
  /** By the key of the cron workflow, then by UID. */
  readonly #children = new Map<string, Map<string, Child>>();

  /** `onChange` is told the key (`namespace/name`) of a cron workflow whose children changed. */
  constructor(workflows: WorkflowCopy, onChange: (key: string) => void) {
    workflows.onChange((type, workflow) => {
      const owner = ownerOf(workflow);
      if (!owner) return;
      const key = keyOf({ metadata: { namespace: workflow.metadata.namespace, name: owner.name } });
      let known = this.#children.get(key);
      if (!known) this.#children.set(key, known = new Map());
      const uid = workflow.metadata.uid ?? "";
      const isNew = known.get(uid)?.isNew ?? (type === "added" && workflows.synced);
      known.set(uid, childOf(workflow, owner.uid, { isGone: type === "deleted", isNew }));
      onChange(key);
    });
  }

  /** The children of one cron workflow, not of one that had its name before. */
  of(key: string, ownerUid: string | undefined): readonly Child[] {
    return [...this.#children.get(key)?.values() ?? []].filter((child) => child.ownerUid === ownerUid);
  }

  /** A pass has dealt with these: those that are gone are not needed any more, nor are those of an earlier owner. */
  settled(key: string, ownerUid: string | undefined, children: readonly Child[]): void {
    const known = this.#children.get(key);
    for (const child of known?.values() ?? []) {
      if (child.isGone && (child.ownerUid !== ownerUid || children.includes(child))) known?.delete(child.uid);
    }
    if (known?.size === 0) this.#children.delete(key);
  }

  /** A cron workflow is gone; its children follow. */
  forgetGone(key: string): void {
    this.settled(key, undefined, []);
  }
}

function ownerOf({ metadata }: KubeObject): { readonly name: string; readonly uid: string } | undefined {
  return metadata.ownerReferences?.find(({ kind }) => kind === "CronWorkflow");
}

function childOf(
  { metadata, spec, status }: KubeObject,
  ownerUid: string,
  seen: Pick<Child, "isGone" | "isNew">,
): Child {
  const { uid = "", name = "", namespace = "", resourceVersion = "", annotations, deletionTimestamp } = metadata;
  const { phase, finishedAt } = fieldsOf(status);
  return {
    uid,
    ownerUid,
    name,
    namespace,
    resourceVersion,
    phase: typeof phase === "string" ? phase : "",
    finishedAt: moment(finishedAt),
    scheduledTime: moment(annotations?.[ANNOTATION.scheduledTime]),
    isShutDown: Boolean(fieldsOf(spec).shutdown),
    isDeleting: deletionTimestamp !== undefined,
    ...seen,
  };
}

function moment(text: unknown): number | undefined {
  const millis = typeof text === "string" ? millisOf(text) : NaN;
  return Number.isNaN(millis) ? undefined : millis;
}
