/**
 * Tables of the language: texts that a person reads, and that are tests. A table begins with its kind (`kind: when`). A line
 * `## RULE` names the rule that the rows below it show; a row is `QUESTION => ANSWER`. A line `NAME: VALUE` before rows gives
 * them what they are asked over, until another line of that name or rule; `#` begins a comment.
 */

/** The values that rows are asked over: the lines `NAME: VALUE` above them. */
export type Given = ReadonlyMap<string, string>;

/** One row. */
export interface Row {
  /** The number of its line, from 1. */
  readonly line: number;
  readonly question: string;
  readonly answer: string;
  readonly given: Given;
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

/** Reads a table; throws, naming the line, where it is none. */
export function parseTable(text: string): Table {
  const head = new Map<string, string>();
  const rules: { title: string; rows: Row[] }[] = [];
  let given = head;
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "" || /^#(?!# )/.test(line)) continue;
    if (line.startsWith("## ")) {
      rules.push({ title: line.slice("## ".length), rows: [] });
      given = new Map(head);
      continue;
    }
    const arrow = line.indexOf(ARROW);
    const [, name, value] = /^([a-z]+): (.*)$/.exec(line) ?? [];
    if (arrow < 0 && name !== undefined) {
      given.set(name, value!);
      continue;
    }
    const rule = rules.at(-1);
    if (arrow < 0 || rule === undefined) throw new Error(`Line ${index + 1} is no row of a rule: ${line}`);
    const [question, answer] = [line.slice(0, arrow), line.slice(arrow + ARROW.length)];
    rule.rows.push({ line: index + 1, question, answer, given: new Map(given) });
  }
  const kind = head.get("kind");
  if (kind === undefined) throw new Error("The table does not say its kind");
  return { kind, rules };
}

/** The text of a table with other answers, by line. */
export function withAnswers(text: string, answers: ReadonlyMap<number, string>): string {
  return text.split("\n").map((line, index) => {
    const answer = answers.get(index + 1);
    return answer === undefined ? line : `${line.slice(0, line.indexOf(ARROW))}${ARROW}${answer}`.trimEnd();
  }).join("\n");
}
