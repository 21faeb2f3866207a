/** The help of the editor: what may stand at the caret, as a list to choose from, and what the field there is. Loaded with the editor. */
import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import schema from "../../manifests/schema/workflows.json" with { type: "json" };
import { type Choice, type Completion, completionAt, fieldAt, type FieldHelp } from "../model/completion/complete.ts";
import type { SchemaFile } from "../model/completion/schema.ts";
import * as words from "../model/text/en/editor_assist.ts";
import { TYPING_MILLIS } from "./typing_pause.ts";

const SCHEMA: SchemaFile = schema;

/** What the help is given. */
export interface AssistProps {
  readonly area: RefObject<HTMLTextAreaElement | null>;
}

/** The list, and the line that says what the field is. */
export function EditorAssist({ area: { current: area } }: AssistProps) {
  const open = useSignal<Completion | undefined>(undefined);
  const at = useSignal(0);
  const help = useSignal<FieldHelp | undefined>(undefined);
  const sign = useRef<HTMLSpanElement>(null);
  const list = useRef<HTMLUListElement>(null);

  useEffect(() => {
    if (!area) return;
    const stop = new AbortController();
    const listen = <K extends keyof HTMLElementEventMap>(type: K, on: (event: HTMLElementEventMap[K]) => void) =>
      area.addEventListener(type, on, { signal: stop.signal });
    const show = () => {
      open.value = area.selectionStart === area.selectionEnd
        ? completionAt(SCHEMA, area.value, area.selectionStart)
        : undefined;
      at.value = 0;
    };
    const explain = (offset: number) => help.value = fieldAt(SCHEMA, area.value, offset);
    // What the field is, is read when nobody types any more: to read a long text takes time from the keys.
    let pause: ReturnType<typeof setTimeout> | undefined;
    const explainSoon = () => {
      clearTimeout(pause);
      pause = setTimeout(() => explain(area.selectionStart), TYPING_MILLIS);
    };
    listen("input", (event) => {
      // A text that is put in as a whole asks for nothing; a sign that is typed does.
      const { inputType, data } = event as InputEvent;
      if (inputType === "insertText" && data?.length === 1) show();
      else if (!inputType.startsWith("delete") || !open.value) open.value = undefined;
      else show();
      explainSoon();
    });
    listen("keydown", (event) => {
      if (event.isComposing) return;
      if (event.key === " " && event.ctrlKey) show();
      else if (!open.value || event.ctrlKey || event.metaKey || event.altKey) return;
      else if (event.key === "ArrowDown") move(1);
      else if (event.key === "ArrowUp") move(-1);
      else if ((event.key === "Enter" || event.key === "Tab") && !event.shiftKey) take(open.value.choices[at.value]);
      else if (event.key === "Escape") open.value = undefined;
      else {
        if (/^(Arrow|Home|End|Page)/.test(event.key)) open.value = undefined;
        return;
      }
      event.preventDefault();
      // Escape closes the list, and not what the editor stands in.
      event.stopPropagation();
    });
    listen("keyup", explainSoon);
    listen("click", () => {
      open.value = undefined;
      explain(area.selectionStart);
    });
    listen("scroll", () => open.value = undefined);
    listen("blur", () => open.value = undefined);
    listen("pointermove", (event) => {
      const offset = offsetAt(area, sizeOf(sign.current), event);
      if (offset !== undefined) explain(offset);
    });
    listen("pointerleave", () => explain(area.selectionStart));
    return () => {
      clearTimeout(pause);
      stop.abort();
    };
  }, [area]);

  // The text field keeps the focus: it says itself which choice is meant.
  const { value: shown } = open;
  useEffect(() => {
    if (!area) return;
    area.setAttribute("aria-autocomplete", "list");
    if (shown) {
      area.setAttribute("aria-controls", "editor-choices");
      area.setAttribute("aria-activedescendant", `editor-choice-${at.value}`);
    } else {
      area.removeAttribute("aria-controls");
      area.removeAttribute("aria-activedescendant");
    }
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
  }, [area, shown, at.value]);

  function move(by: number): void {
    const { length } = open.value?.choices ?? [];
    if (length > 0) at.value = (at.value + by + length) % length;
  }

  function take(choice: Choice | undefined): void {
    const { value: found } = open;
    if (!area || !found || !choice) return;
    open.value = undefined;
    area.focus();
    area.setSelectionRange(found.from, found.to);
    // The one way to put a text in that the browser can take back by Undo.
    if (!document.execCommand("insertText", false, choice.text)) {
      area.setRangeText(choice.text, found.from, found.to, "end");
      area.dispatchEvent(new Event("input", { bubbles: true }));
    }
  }

  return (
    <>
      <span class="editor-sign" ref={sign} aria-hidden="true">0000000000</span>
      {area && shown && (
        <ul
          ref={list}
          id="editor-choices"
          class="editor-choices"
          role="listbox"
          aria-label={words.choicesLabel}
          style={placeIn(area, shown.from, sizeOf(sign.current))}
        >
          {shown.choices.map((choice, index) => (
            <li
              key={choice.name}
              id={`editor-choice-${index}`}
              role="option"
              aria-selected={index === at.value ? "true" : "false"}
              // The text field would lose the focus, and close the list, before the click is there.
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => take(choice)}
            >
              <span>{choice.name}</span>
              <span class="muted">{words.choiceAbout(choice.about, choice.isRequired)}</span>
            </li>
          ))}
        </ul>
      )}
      <p class="editor-help muted">
        {help.value
          ? words.fieldAbout(<code>{help.value.path}</code>, help.value.type, help.value.isRequired)
          : words.howToAsk}
      </p>
    </>
  );
}

interface SignSize {
  readonly width: number;
  readonly height: number;
}

/** The size of a sign of the editor, whose signs are all as wide. */
function sizeOf(sign: HTMLSpanElement | null): SignSize {
  const { width = 0, height = 0 } = sign?.getBoundingClientRect() ?? {};
  return { width: width / 10, height };
}

/** The place below an offset of the text, within what the editor stands in. */
function placeIn(area: HTMLTextAreaElement, offset: number, { width, height }: SignSize) {
  const before = area.value.slice(0, offset).split("\n");
  const { paddingInlineStart, paddingBlockStart } = getComputedStyle(area);
  const left = area.offsetLeft + Number.parseFloat(paddingInlineStart) + before.at(-1)!.length * width -
    area.scrollLeft;
  const top = area.offsetTop + Number.parseFloat(paddingBlockStart) + before.length * height - area.scrollTop;
  return {
    insetInlineStart: `clamp(0px, ${left}px, calc(100% - min(100%, 420px)))`,
    insetBlockStart: `${top}px`,
  };
}

/** The offset of the text under a pointer; undefined beside its lines. */
function offsetAt(area: HTMLTextAreaElement, { width, height }: SignSize, { offsetX, offsetY }: PointerEvent) {
  if (width === 0 || height === 0) return undefined;
  const { paddingInlineStart, paddingBlockStart } = getComputedStyle(area);
  const line = Math.floor((offsetY - Number.parseFloat(paddingBlockStart) + area.scrollTop) / height);
  const column = Math.floor((offsetX - Number.parseFloat(paddingInlineStart) + area.scrollLeft) / width);
  const lines = area.value.split("\n");
  const text = lines[line];
  if (text === undefined || column < 0 || column > text.length) return undefined;
  return lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + column;
}
