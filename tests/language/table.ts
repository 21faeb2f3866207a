/**
 * Tables of the language: readable texts that are tests. A table begins with its kind (`kind: when`). A line `## RULE`
 * names the rule that the rows below it show; a row is `QUESTION => ANSWER`. A line `NAME: VALUE` before rows sets
 * their inputs, until another line of that name or the next rule; `#` begins a comment.
 */

/** The inputs of rows: the lines `NAME: VALUE` above them. */
export type TableSettings = ReadonlyMap<string, string>;

/** One row. */
export interface Row {
  /** The line number, counted from 1. */
  readonly line: number;
  readonly question: string;
  readonly answer: string;
  readonly settings: TableSettings;
}

/** The rows that show one rule. */
export interface Rule {
  readonly title: string;
  readonly rows: readonly Row[];
}

/** A table. */
export interface Table {
  readonly kind: string;
  readonly rules: readonly Rule[];
}

const ARROW = " => ";

/** Parses a table. @throws {Error} that names an invalid line */
export function parseTable(text: string): Table {
  const head = new Map<string, string>();
  const rules: { title: string; rows: Row[] }[] = [];
  let settings = head;
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "" || /^#(?!# )/.test(line)) continue;
    if (line.startsWith("## ")) {
      rules.push({ title: line.slice("## ".length), rows: [] });
      settings = new Map(head);
      continue;
    }
    const arrow = line.indexOf(ARROW);
    const [, name, value] = /^([a-z]+): (.*)$/.exec(line) ?? [];
    if (arrow < 0 && name !== undefined) {
      settings.set(name, value!);
      continue;
    }
    const rule = rules.at(-1);
    if (arrow < 0 || rule === undefined) throw new Error(`Line ${index + 1} is not a row of a rule: ${line}`);
    const [question, answer] = [line.slice(0, arrow), line.slice(arrow + ARROW.length)];
    rule.rows.push({ line: index + 1, question, answer, settings: new Map(settings) });
  }
  const kind = head.get("kind");
  if (kind === undefined) throw new Error('The table lacks a line "kind:"');
  return { kind, rules };
}

/** The text of a table with other answers, by line. */
export function withAnswers(text: string, answers: ReadonlyMap<number, string>): string {
  return text.split("\n").map((line, index) => {
    const answer = answers.get(index + 1);
    return answer === undefined ? line : `${line.slice(0, line.indexOf(ARROW))}${ARROW}${answer}`.trimEnd();
  }).join("\n");
}
