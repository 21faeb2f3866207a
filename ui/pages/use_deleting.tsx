/** The deletion of an object that runs are made from: asked for, then eight seconds in which it is taken back. */
import type { ComponentChild } from "preact";
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { Refusal } from "../api/refusal.ts";
import type { TemplateKind } from "../api/source.ts";
import { useApp } from "../app.ts";
import { Dialog } from "../components/dialog.tsx";
import type { Page } from "../model/place.ts";
import { unsettled } from "../settled.ts";
import { Refused } from "./refused.tsx";
import * as words from "../model/text/en/use_deleting.ts";
import * as shared from "../model/text/en/shared.ts";

/** The time in which it can be taken back; leaving the page takes it back, too. */
const UNDO_MILLIS = 8000;

/** The way to ask, and what is shown of it. */
export interface Deleting {
  ask(): void;
  /** The dialog, the time to think again, and what was refused. */
  readonly shown: ComponentChild;
}

/** Deletes one object; `list` is where its list is. */
export function useDeleting(kind: TemplateKind, namespace: string, name: string, list: Page): Deleting {
  const app = useApp();
  const isAsked = useSignal(false);
  const pending = useSignal<ReturnType<typeof setTimeout> | undefined>(undefined);
  const refusal = useSignal<Refusal | undefined>(undefined);
  const stop = () => {
    clearTimeout(pending.value);
    pending.value = undefined;
  };
  useEffect(() => stop, [kind, namespace, name]);

  async function remove(): Promise<void> {
    using _waiting = unsettled();
    pending.value = undefined;
    try {
      await app.source.deleteTemplate(kind, namespace, name);
      app.go({ page: list, query: [] });
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
      {pending.value !== undefined && (
        <div class="told" role="status">
          <span>{words.willBeDeleted(name)}</span>
          <button type="button" class="button" onClick={stop}>{shared.undoButton}</button>
        </div>
      )}
      {isAsked.value && (
        <Dialog title={words.deleteTitle(name)} onClose={() => isAsked.value = false}>
          <p>{kind === "CronWorkflow" ? words.ofSchedule : words.ofTemplate}</p>
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
