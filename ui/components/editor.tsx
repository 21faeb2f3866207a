/** The editor of a manifest: a text with the numbers of its lines, and its problems, each of which leads to its place. */
import { useComputed, useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { Problem } from "../../lib/validate/mod.ts";
import * as words from "../model/text/en/editor.ts";
import type { AssistProps } from "./editor_assist.tsx";
import { TYPING_MILLIS } from "./typing_pause.ts";

interface Props {
  readonly label: string;
  readonly text: string;
  readonly problems: readonly Problem[] | undefined;
  readonly isReadOnly?: boolean;
  /** The help while somebody types; there is none where it is left out. */
  readonly assist?: ComponentType<AssistProps>;
  readonly onText: (text: string) => void;
}

/** The editor. */
export function Editor({ label, text, problems, isReadOnly = false, assist: Assist, onText }: Props) {
  const area = useRef<HTMLTextAreaElement>(null);
  const numbers = useRef<HTMLPreElement>(null);
  const lines = linesIn(text);
  // Made anew for another count of lines only, not for each key.
  const numberText = useMemo(() => Array.from({ length: lines }, (_, at) => at + 1).join("\n"), [lines]);
  return (
    <div class="editor">
      <div class="editor-text">
        <pre class="line-numbers" ref={numbers} aria-hidden="true">
          {numberText}
        </pre>
        <textarea
          ref={area}
          aria-label={label}
          spellcheck={false}
          autocapitalize="off"
          wrap="off"
          readOnly={isReadOnly}
          value={text}
          rows={Math.min(32, Math.max(12, lines + 1))}
          onInput={(event) => onText(event.currentTarget.value)}
          onScroll={(event) => {
            if (numbers.current) numbers.current.scrollTop = event.currentTarget.scrollTop;
          }}
        />
      </div>
      {Assist && <Assist area={area} />}
      {problems && <Problems problems={problems} onShow={(problem) => area.current && show(area.current, problem)} />}
    </div>
  );
}

function linesIn(text: string): number {
  let count = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count++;
  return count;
}

function Problems({ problems, onShow }: { problems: readonly Problem[]; onShow: (problem: Problem) => void }) {
  if (problems.length === 0) return <p class="problems none" role="status">{words.noProblems}</p>;
  return (
    <section class="problems" aria-label={words.problemsLabel}>
      <h2>{words.problemsHeading(problems.length)}</h2>
      <ul>
        {problems.slice(0, 100).map((problem) => (
          <li key={`${problem.line}:${problem.column}:${problem.message}`}>
            <button type="button" class={`problem ${problem.severity ?? "error"}`} onClick={() => onShow(problem)}>
              <span class="number">{problem.line}:{problem.column}</span>
              <span>{problem.path !== "" && <code>{problem.path}</code>} {problem.message}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Puts the caret where the problem is. */
function show(area: HTMLTextAreaElement, { line, column }: Problem): void {
  const before = area.value.split("\n").slice(0, line - 1);
  const at = before.reduce((sum, one) => sum + one.length + 1, 0) + column - 1;
  area.focus();
  area.setSelectionRange(at, at);
}

/** A text as it is typed, and its problems a little after: as long as somebody types, nothing is said. */
export function useCheckedText(
  first: string,
  start: (onProblems: (problems: readonly Problem[]) => void) => Disposable & { check(text: string): void },
) {
  const text = useSignal(first);
  const problems = useSignal<readonly Problem[] | undefined>(undefined);
  const thread = useRef<ReturnType<typeof start>>(null);
  useEffect(() => {
    const started = start((found) => problems.value = found);
    thread.current = started;
    return () => started[Symbol.dispose]();
  }, []);
  useEffect(() => {
    const timer = setTimeout(() => thread.current?.check(text.value), TYPING_MILLIS);
    return () => clearTimeout(timer);
  }, [text.value]);
  const hasErrors = useComputed(() => problems.value?.some(({ severity }) => severity !== "warning") ?? false);
  return { text, problems, hasErrors };
}
