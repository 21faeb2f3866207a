/** The text of an editor while it is typed, and its check a little later: its problems, and the object in it. */
import { type ReadonlySignal, signal, useComputed, useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { Problem } from "@tiphys/language/validate";
import { TYPING_MILLIS } from "../typing_pause.ts";

/** A text that may be long; it is converted to a string only when necessary. */
export interface Doc {
  readonly length: number;
  toString(): string;
}

/** The result of a check. */
export interface TextCheck {
  readonly of: Doc;
  readonly problems: readonly Problem[];
  /** The single object of the text, or undefined. */
  readonly object: unknown;
}

/** The worker that checks texts; it reports the latest text only. */
export type StartChecks = (
  onChecked: (check: Pick<TextCheck, "problems" | "object">) => void,
) => Disposable & { check(text: string): void };

/** The longest text that is checked, in characters: a cluster would reject a larger object. */
export const MAX_CHECKED_LENGTH = 2 * 1024 * 1024;

/** The text of an editor. It exists, and can be changed, also while the field is not shown. */
export interface EditedText {
  /** The current text. */
  now(): Doc;
  /** Replaces the text. The field applies the difference as one change, which can be undone. */
  replace(next: string): void;
  /** Called by the field at each change. */
  changed(doc: Doc): void;
  /** Called by the field when it is shown, with its document and a function that replaces the text. */
  attach(doc: Doc, put: (next: string) => void): void;
  /** Called by the field when it is removed. */
  detach(): void;
  /** The text when the user stopped typing. */
  readonly settledText: ReadonlySignal<Doc>;
  /** The check of the current text, else the last one. */
  readonly checked: ReadonlySignal<TextCheck | undefined>;
}

/** A text while it is typed. It is checked when the user stops typing. */
export function useEditedText(first: string, startChecks: StartChecks) {
  const store = useMemo(() => editedText(first), []);
  useEffect(() => {
    const checks = startChecks((check) => store.publishCheck(check));
    store.setCheck(checks.check);
    return () => {
      store.setCheck(undefined);
      checks[Symbol.dispose]();
    };
  }, []);
  const hasErrors = useComputed(() =>
    store.text.checked.value?.problems.some(({ severity }) => severity !== "warning") ?? false
  );
  // The original text, which Reset restores.
  const before = useSignal(first);
  const isTouched = useComputed(() => {
    const { value: rested } = store.text.settledText;
    return rested.length !== before.value.length || rested.toString() !== before.value;
  });
  return { text: store.text, hasErrors, before, isTouched };
}

function editedText(first: string) {
  let doc: Doc = first;
  let asked: Doc = first;
  let show: ((next: string) => void) | undefined;
  let check: ((text: string) => void) | undefined;
  let pause: ReturnType<typeof setTimeout> | undefined;
  const rested = signal<Doc>(first);
  const checked = signal<TextCheck | undefined>(undefined);
  const rest = () => {
    pause = undefined;
    rested.value = doc;
    if (doc.length > MAX_CHECKED_LENGTH) checked.value = { of: doc, problems: [], object: undefined };
    else if (check) {
      asked = doc;
      check(doc.toString());
    }
  };
  const changed = (next: Doc) => {
    doc = next;
    clearTimeout(pause);
    pause = setTimeout(rest, TYPING_MILLIS);
  };
  const text: EditedText = {
    now: () => doc,
    replace: (next) => show ? show(next) : changed(next),
    changed,
    attach(shown, put) {
      show = put;
      // The same text as another document: its check is still valid.
      if (asked === doc) asked = shown;
      if (rested.value === doc) rested.value = shown;
      if (checked.value?.of === doc) checked.value = { ...checked.value, of: shown };
      doc = shown;
    },
    detach: () => show = undefined,
    settledText: rested,
    checked,
  };
  return {
    text,
    publishCheck(result: Pick<TextCheck, "problems" | "object">): void {
      // The text changed in the meantime, so positions are outdated; it is checked when the user stops typing.
      if (asked === doc) checked.value = { of: asked, ...result };
    },
    setCheck(next: typeof check): void {
      check = next;
      clearTimeout(pause);
      if (next) rest();
    },
  };
}
