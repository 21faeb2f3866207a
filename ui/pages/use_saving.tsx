/** Saving an object that runs are made from: on the state that it was made on, with the way back. */
import type { ComponentChild } from "preact";
import { useSignal } from "@preact/signals";
import { fieldsOf } from "@tiphys/base/fields_of";
import { Refusal } from "../api/refusal.ts";
import type { TemplateKind, TemplateObjects } from "../api/source.ts";
import { useApp } from "../app.ts";
import { UndoBar } from "../components/undo_bar.tsx";
import { isSameToPeople, undone } from "../model/object_edits.ts";
import { unsettled } from "../settled.ts";
import { Refused } from "./refused.tsx";
import * as words from "../model/text/en/use_saving.ts";
import * as shared from "../model/text/en/shared.ts";

/** Saves, and what is said of it. */
export interface Saving<T> {
  /** Saves what was made of the object that is shown. @throws {Refusal} a conflict where somebody changed that since. */
  save(object: unknown, based: T): Promise<void>;
  /** The word that it was saved, with its Undo; nothing before. */
  readonly bar: ComponentChild;
}

/** Keeps the last save of one object; `answered` takes what is saved then. */
export function useSaving<K extends TemplateKind>(
  kind: K,
  namespace: string,
  name: string,
  answered: (object: TemplateObjects[K]) => void,
): Saving<TemplateObjects[K]> {
  type T = TemplateObjects[K];
  const { source } = useApp();
  const last = useSignal<{ readonly former: T; readonly saved: T } | undefined>(undefined);
  const told = useSignal<string | undefined>(undefined);
  const refusal = useSignal<Refusal | undefined>(undefined);

  async function save(object: unknown, based: T): Promise<void> {
    refusal.value = undefined;
    const now = await source.getTemplate(kind, namespace, name);
    const { metadata, ...rest } = fieldsOf(object);
    // What the controller wrote by itself since is no change of somebody's: it stays, and is no conflict.
    const version = isSameToPeople(now, based) ? { resourceVersion: now.metadata.resourceVersion } : {};
    const { status } = fieldsOf(now);
    const saved = await source.updateTemplate(kind, namespace, name, {
      ...rest,
      metadata: { ...fieldsOf(metadata), ...version },
      ...(status === undefined ? {} : { status }),
    });
    last.value = { former: now, saved };
    told.value = words.saved;
    answered(saved);
  }

  async function undo(): Promise<void> {
    using _waiting = unsettled();
    const { former, saved } = last.value!;
    last.value = undefined;
    refusal.value = undefined;
    try {
      const now = await source.getTemplate(kind, namespace, name);
      const object = undone(former, saved, now);
      if (object) answered(await source.updateTemplate(kind, namespace, name, object));
      else answered(now);
      told.value = object ? words.putBack : words.changedSince;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      told.value = error.kind === "conflict" ? words.changedSince : undefined;
      if (error.kind !== "conflict") refusal.value = error;
    }
  }

  const bar = (
    <>
      {refusal.value && <Refused refusal={refusal.value} />}
      {told.value && last.value && <UndoBar text={told.value} onUndo={() => void undo()} />}
      {told.value && !last.value && (
        <div class="told" role="status">
          <span>{told.value}</span>
          <button type="button" class="button plain" onClick={() => told.value = undefined}>
            {shared.dismissButton}
          </button>
        </div>
      )}
    </>
  );
  return { save, bar };
}
