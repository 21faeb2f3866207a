/** The text of an editor as it is typed, and what is known of it a little after: its problems, and the object that it means. */
import { type ReadonlySignal, signal, useComputed, useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { Problem } from "@tiphys/language/validate";
import { TYPING_MILLIS } from "../typing_pause.ts";

/** A text that may be long: nobody makes one string of it who only passes it on. */
export interface Doc {
  readonly length: number;
  toString(): string;
}

/** What is known of a text. */
export interface Checked {
  readonly of: Doc;
  readonly problems: readonly Problem[];
  /** The one object of the text; undefined where it has no such. */
  readonly object: unknown;
}

/** The thread that checks texts: it answers the newest only. */
export type StartChecks = (
  onChecked: (found: Pick<Checked, "problems" | "object">) => void,
) => Disposable & { check(text: string): void };

/** The longest text that is checked, in characters: a cluster takes no object of such a size. */
export const LONGEST_CHECKED = 2 * 1024 * 1024;

/** The text of an editor. It is there, and can be changed, also while the field is not shown. */
export interface EditedText {
  /** The text as it is now, with all that was typed. */
  now(): Doc;
  /** Puts another text there; the field does it by one change, of what differs only, which Undo takes back. */
  put(next: string): void;
  /** Told by the field of each change. */
  changed(doc: Doc): void;
  /** Told by the field that it shows the text as it is, as a document of its own, and how it puts another there. */
  shownAs(doc: Doc, put: (next: string) => void): void;
  /** Told by the field that it goes. */
  hidden(): void;
  /** The text when nobody types any more. */
  readonly rested: ReadonlySignal<Doc>;
  /** Of the text as it is now; else what was found last. */
  readonly checked: ReadonlySignal<Checked | undefined>;
}

/** A text as it is typed, and what is known of it a little after: as long as somebody types, nothing is said. */
export function useEditedText(first: string, startChecks: StartChecks) {
  const store = useMemo(() => editedText(first), []);
  useEffect(() => {
    const checks = startChecks((found) => store.found(found));
    store.checkedBy(checks.check);
    return () => {
      store.checkedBy(undefined);
      checks[Symbol.dispose]();
    };
  }, []);
  const hasErrors = useComputed(() =>
    store.text.checked.value?.problems.some(({ severity }) => severity !== "warning") ?? false
  );
  // The text that there was at first; what is put back.
  const before = useSignal(first);
  const isTouched = useComputed(() => {
    const { value: rested } = store.text.rested;
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
  const checked = signal<Checked | undefined>(undefined);
  const rest = () => {
    pause = undefined;
    rested.value = doc;
    if (doc.length > LONGEST_CHECKED) checked.value = { of: doc, problems: [], object: undefined };
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
    put: (next) => show ? show(next) : changed(next),
    changed,
    shownAs(shown, put) {
      show = put;
      // The same text under another name: what is known of it holds.
      if (asked === doc) asked = shown;
      if (rested.value === doc) rested.value = shown;
      if (checked.value?.of === doc) checked.value = { ...checked.value, of: shown };
      doc = shown;
    },
    hidden: () => show = undefined,
    rested,
    checked,
  };
  return {
    text,
    found(found: Pick<Checked, "problems" | "object">): void {
      // What was typed meanwhile is asked about when nobody types any more; places in the text are other ones by now.
      if (asked === doc) checked.value = { of: asked, ...found };
    },
    checkedBy(next: typeof check): void {
      check = next;
      clearTimeout(pause);
      if (next) rest();
    },
  };
}
