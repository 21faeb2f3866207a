/** The manifest editor: its text, completion, and problems that link to their position. */
import { useComputed, useSignal } from "@preact/signals";
import type { ComponentChildren, RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { Problem } from "@tiphys/language/validate";
import type { FieldHelp } from "../model/completion/complete.ts";
import { formatOf, type FormerYaml, otherFormat } from "../model/manifest_format.ts";
import { sectionsOf } from "../model/manifest_sections.ts";
import * as words from "../model/text/en/editor.ts";
import { type CodeView, isShortEnoughForColours, showCode } from "./code/code_view.ts";
import { type EditedText, MAX_CHECKED_LENGTH } from "./code/edited_text.ts";

interface Props {
  readonly label: string;
  readonly text: EditedText;
}

interface EditorProps extends Props {
  readonly loadAssist: LoadAssist;
  /** The text field while it is shown. */
  readonly view: RefObject<CodeView | undefined>;
  /** The line to show first; 0 for the beginning. */
  readonly firstLine: number;
  /** Returns the address of the documentation of a type; undefined without documentation on the server. */
  readonly docsOf: ((type: string) => string) | undefined;
  /** Additional tools of the page. */
  readonly children?: ComponentChildren;
}

/** Loads the assistance. */
type LoadAssist = () => Promise<typeof import("./code/code_assist.ts").codeAssist>;

/** The editor; assistance is available when it has been loaded. */
export function Editor({ label, text, loadAssist, view, firstLine, docsOf, children }: EditorProps) {
  const element = useRef<HTMLDivElement>(null);
  const isHelped = useSignal(false);
  const help = useSignal<FieldHelp | undefined>(undefined);
  useEffect(() => {
    if (!element.current) return;
    const shown = showCode(element.current, label, text);
    view.current = shown;
    if (firstLine > 0) shown.show(firstLine);
    let isGone = false;
    void loadAssist().then((codeAssist) => {
      if (isGone) return;
      shown.addAssist(codeAssist((assist) => help.value = assist));
      isHelped.value = true;
    });
    return () => {
      isGone = true;
      view.current = undefined;
      shown[Symbol.dispose]();
    };
  }, []);
  const { value: checked } = text.checked;
  useEffect(() => {
    if (checked) view.current?.mark(checked);
  }, [checked, isHelped.value]);
  const { value: rested } = text.settledText;
  return (
    <div class="editor">
      <EditorTools text={text} onLine={(line) => view.current?.show(line)}>{children}</EditorTools>
      <div class="editor-text" ref={element} />
      <p class="editor-help muted">
        <span>
          {help.value
            ? words.fieldAbout(<code>{help.value.path}</code>, help.value.type, help.value.isRequired)
            : words.keysHint}
          {help.value && docsOf && (
            <>
              {" "}
              <a href={docsOf(help.value.docs)} target="_blank" rel="noopener noreferrer">{words.fieldDocsLink}</a>
            </>
          )}
        </span>
        <span>{words.leaveHint}</span>
      </p>
      {rested.length > MAX_CHECKED_LENGTH && <p class="note" role="status">{words.tooLongToCheck}</p>}
      {!isShortEnoughForColours(rested) && <p class="note" role="status">{words.tooLongForColours}</p>}
      {checked && rested.length <= MAX_CHECKED_LENGTH && (
        <Problems
          problems={checked.problems}
          onShow={({ line, column }) => view.current?.show(line, column)}
        />
      )}
    </div>
  );
}

/** The tools above the text: navigation to sections, and conversion. */
function EditorTools({ text, onLine, children }: {
  readonly text: EditedText;
  readonly onLine: (line: number) => void;
  readonly children: ComponentChildren;
}) {
  const former = useSignal<FormerYaml | undefined>(undefined);
  const said = useSignal<string | undefined>(undefined);
  const sections = useComputed(() => sectionsOf(text.settledText.value.toString()));
  const format = useComputed(() => formatOf(text.settledText.value.toString()));
  function convert(): void {
    const written = otherFormat(text.now().toString(), former.value);
    if ("problem" in written) {
      said.value = written.problem;
      return;
    }
    former.value = written.former;
    said.value = written.losesComments ? written.former ? words.commentsLeft : words.commentsLost : undefined;
    text.replace(written.text);
  }
  return (
    <div class="editor-tools row">
      {sections.value.length > 0 && (
        <select
          aria-label={words.sectionsField}
          value=""
          onChange={(event) => {
            const { value } = event.currentTarget;
            event.currentTarget.value = "";
            if (value !== "") onLine(Number(value));
          }}
        >
          <option value="">{words.sectionsField}…</option>
          {sections.value.map(({ name, isTemplate, line }) => (
            <option key={line} value={line}>{isTemplate ? words.templateSection(name) : name}</option>
          ))}
        </select>
      )}
      <button type="button" class="button" onClick={convert}>
        {words.convertButton(format.value === "JSON" ? "YAML" : "JSON")}
      </button>
      {children}
      {said.value && <span role="status">{said.value}</span>}
    </div>
  );
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
