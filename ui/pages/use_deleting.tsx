/** The deletion of an object: asked for, then eight seconds in which it is taken back. */
import type { ComponentChild } from "preact";
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { Refusal } from "../api/refusal.ts";
import { Dialog } from "../components/dialog.tsx";
import { UNDO_MILLIS, UndoBar } from "../components/undo_bar.tsx";
import { unsettled } from "../settled.ts";
import { Refused } from "./refused.tsx";
import * as words from "../model/text/en/use_deleting.ts";
import * as shared from "../model/text/en/shared.ts";

/** The way to ask, and what is shown of it. */
export interface Deleting {
  ask(): void;
  /** The dialog, the time to think again, and what was refused. */
  readonly shown: ComponentChild;
}

interface Deleted {
  /** The object, for which nothing is deleted any more once another one is shown. */
  readonly key: string;
  readonly name: string;
  /** What becomes of others then. */
  readonly about: string;
  /** Deletes it, and leaves its page. @throws {Refusal} */
  readonly remove: () => Promise<void>;
}

/** Deletes one object; leaving the page takes it back, too. */
export function useDeleting({ key, name, about, remove: removeIt }: Deleted): Deleting {
  const isAsked = useSignal(false);
  const pending = useSignal<ReturnType<typeof setTimeout> | undefined>(undefined);
  const refusal = useSignal<Refusal | undefined>(undefined);
  const stop = () => {
    clearTimeout(pending.value);
    pending.value = undefined;
  };
  useEffect(() => stop, [key]);

  async function remove(): Promise<void> {
    using _waiting = unsettled();
    pending.value = undefined;
    try {
      await removeIt();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refusal.value = error;
    }
  }

  function confirm(): void {
    isAsked.value = false;
    refusal.value = undefined;
    stop();
    pending.value = setTimeout(() => void remove(), UNDO_MILLIS);
  }

  const shown = (
    <>
      {refusal.value && <Refused refusal={refusal.value} />}
      {pending.value !== undefined && <UndoBar text={words.willBeDeleted(name)} onUndo={stop} />}
      {isAsked.value && (
        <Dialog title={words.deleteTitle(name)} onClose={() => isAsked.value = false}>
          <p>{about}</p>
          <footer>
            <button type="button" class="button" onClick={() => isAsked.value = false}>{shared.cancelButton}</button>
            <button type="button" class="button danger" onClick={confirm}>{words.deleteNamedButton(name)}</button>
          </footer>
        </Dialog>
      )}
    </>
  );
  return { ask: () => isAsked.value = true, shown };
}
