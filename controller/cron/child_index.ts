/**
 * An index of workflows by the cron workflow that owns them, updated as the local copy changes. Deleted children remain
 * until a pass has seen the deletion.
 */
import { ANNOTATION } from "@tiphys/base/constants";
import { fieldsOf } from "@tiphys/base/fields_of";
import { keyOf, type KubeObject } from "@tiphys/kube";
import type { ChangeHandler } from "@tiphys/kube/informers";
import { millisOf } from "@tiphys/model/status";
import type { Child } from "./types.ts";

/** The local copy of the workflows, as far as the index needs it. */
export interface WorkflowCopy {
  /** Whether the first list has been received. */
  readonly isSynced: boolean;
  onChange(handler: ChangeHandler<KubeObject>): void;
}

/** Must be created before the copy is started, to distinguish children that exist at the start from later ones. */
export class ChildIndex {
  /** By the key of the cron workflow, then by UID. */
  readonly #children = new Map<string, Map<string, Child>>();

  /** Calls `onChange` with the key (`namespace/name`) of a cron workflow whose children changed. */
  constructor(workflows: WorkflowCopy, onChange: (key: string) => void) {
    workflows.onChange((type, workflow) => {
      const owner = ownerOf(workflow);
      if (!owner) return;
      const key = keyOf({ metadata: { namespace: workflow.metadata.namespace, name: owner.name } });
      let known = this.#children.get(key);
      if (!known) this.#children.set(key, known = new Map());
      const uid = workflow.metadata.uid ?? "";
      const isNew = known.get(uid)?.isNew ?? (type === "added" && workflows.isSynced);
      known.set(uid, childOf(workflow, owner.uid, { isGone: type === "deleted", isNew }));
      onChange(key);
    });
  }

  /** The children of one cron workflow, without those of an earlier one with the same name. */
  childrenOf(key: string, ownerUid: string | undefined): readonly Child[] {
    return [...this.#children.get(key)?.values() ?? []].filter((child) => child.ownerUid === ownerUid);
  }

  /** Called when a pass has processed these children. Removes deleted ones, and those of an earlier owner. */
  markProcessed(key: string, ownerUid: string | undefined, children: readonly Child[]): void {
    const known = this.#children.get(key);
    for (const child of known?.values() ?? []) {
      if (child.isGone && (child.ownerUid !== ownerUid || children.includes(child))) known?.delete(child.uid);
    }
    if (known?.size === 0) this.#children.delete(key);
  }

  /** Called when a cron workflow has been deleted. Its children are removed when they are deleted as well. */
  forgetCron(key: string): void {
    this.markProcessed(key, undefined, []);
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
    finishedAt: millisOfText(finishedAt),
    scheduledTime: millisOfText(annotations?.[ANNOTATION.scheduledTime]),
    isShutDown: Boolean(fieldsOf(spec).shutdown),
    isDeleting: deletionTimestamp !== undefined,
    ...seen,
  };
}

function millisOfText(text: unknown): number | undefined {
  const millis = typeof text === "string" ? millisOf(text) : NaN;
  return Number.isNaN(millis) ? undefined : millis;
}
