/** The deletion of an object: confirmed, then delayed by eight seconds in which it can be undone. */
import type { ComponentChild } from "preact";
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { Refusal } from "../api/refusal.ts";
import { Dialog } from "../components/dialog.tsx";
import { UNDO_MILLIS, UndoBar } from "../components/undo_bar.tsx";
import { trackPending } from "../settled.ts";
import { Refused } from "./refused.tsx";
import * as words from "../model/text/en/object_pages.ts";
import * as shared from "../model/text/en/shared.ts";

/** A function that opens the confirmation, and the elements to render. */
export interface Deleting {
  ask(): void;
  /** The button that opens the confirmation; disabled with this text if a right is missing. */
  button(missingRight: string | undefined): ComponentChild;
  /** The dialog, the undo bar, and a refusal. */
  readonly shown: ComponentChild;
}

interface DeletionTarget {
  /** Identifies the object: showing another one cancels the deletion. */
  readonly key: string;
  readonly name: string;
  /** Describes the effect on other objects. */
  readonly about: string;
  /** Deletes the object and leaves its page. @throws {Refusal} */
  readonly remove: () => Promise<void>;
}

/** Deletes one object; leaving the page cancels the deletion. */
export function useDeleting({ key, name, about, remove: removeIt }: DeletionTarget): Deleting {
  const isAsked = useSignal(false);
  const pending = useSignal<ReturnType<typeof setTimeout> | undefined>(undefined);
  const refusal = useSignal<Refusal | undefined>(undefined);
  const stop = () => {
    clearTimeout(pending.value);
    pending.value = undefined;
  };
  useEffect(() => stop, [key]);

  async function remove(): Promise<void> {
    using _waiting = trackPending();
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
  const ask = () => {
    isAsked.value = true;
  };
  const button = (missingRight: string | undefined) => (
    <button
      type="button"
      class="button danger"
      disabled={missingRight !== undefined}
      title={missingRight}
      onClick={ask}
    >
      {words.askDeleteButton}
    </button>
  );
  return { ask, button, shown };
}
