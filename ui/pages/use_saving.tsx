/** Saves a template or schedule with conflict detection and undo. */
import type { ComponentChild } from "preact";
import { useSignal } from "@preact/signals";
import { fieldsOf } from "@tiphys/base/fields_of";
import { Refusal } from "../api/refusal.ts";
import type { TemplateKind, TemplateObjects } from "../api/source.ts";
import { useApp } from "../app.ts";
import { UndoBar } from "../components/undo_bar.tsx";
import { isSameToUsers, undoChange } from "../model/object_edits.ts";
import { trackPending } from "../settled.ts";
import { Refused } from "./refused.tsx";
import * as words from "../model/text/en/submission.ts";
import * as shared from "../model/text/en/shared.ts";

/** A function that saves, and the notification to render. */
export interface Saving<T> {
  /** Saves a changed object that was based on `based`. @throws {Refusal} a conflict if somebody changed it since */
  save(object: unknown, based: T): Promise<void>;
  /** The notification with its Undo button, after saving. */
  readonly bar: ComponentChild;
}

/** Keeps the last save of one object; `onSaved` receives the saved object. */
export function useSaving<K extends TemplateKind>(
  kind: K,
  namespace: string,
  name: string,
  onSaved: (object: TemplateObjects[K]) => void,
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
    // Changes by the controller since then are kept and are not conflicts.
    const version = isSameToUsers(now, based) ? { resourceVersion: now.metadata.resourceVersion } : {};
    const { status } = fieldsOf(now);
    const saved = await source.updateTemplate(kind, namespace, name, {
      ...rest,
      metadata: { ...fieldsOf(metadata), ...version },
      ...(status === undefined ? {} : { status }),
    });
    last.value = { former: now, saved };
    told.value = words.saved;
    onSaved(saved);
  }

  async function undo(): Promise<void> {
    using _waiting = trackPending();
    const { former, saved } = last.value!;
    last.value = undefined;
    refusal.value = undefined;
    try {
      const now = await source.getTemplate(kind, namespace, name);
      const object = undoChange(former, saved, now);
      if (object) onSaved(await source.updateTemplate(kind, namespace, name, object));
      else onSaved(now);
      told.value = object ? words.undone : words.undoConflict;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      told.value = error.kind === "conflict" ? words.undoConflict : undefined;
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
