/** Shortened reasons of failures in a part of a long run: some readers see only the end of a run's output. */

/** The maximum number of lines for a part, and of characters for each line. */
export const REASON_LINES = 12;
const REASON_CHARACTERS = 260;

/** The maximum number of names that are listed for the same reason. */
const NAMES = 6;

/** The maximum number of lines at the end of an output without a reason that are shown instead. */
const LAST_LINES = 8;

/**
 * A failure as a part prints it: `FAIL NAME`, and the reason in the indented lines that follow, or on the same line.
 */
interface Failure {
  readonly name: string;
  readonly reason: string;
}

/** The names of the failed cases in an output, each once and without its duration. */
export function failedNames(output: string): string[] {
  return [...new Set(failuresIn(output).map(({ name }) => name.replace(/ \([\d.]+ m?s\)$/, "")))];
}

/**
 * The reasons of the failures in an output, a line each, the same reason once with the names that it holds for. When
 * the output names none, its last lines.
 */
export function reasonsOf(output: string): string[] {
  const failures = failuresIn(output);
  const lines = failures.length > 0 ? groupByReason(failures) : output.split("\n").filter(hasText).slice(-LAST_LINES);
  const more = lines.length - REASON_LINES;
  const shown = more > 0 ? [...lines.slice(0, REASON_LINES - 1), `and ${more + 1} more`] : lines;
  return shown.map(truncate);
}

function failuresIn(output: string): Failure[] {
  const failures: Failure[] = [];
  const lines = output.split("\n");
  for (const [index, line] of lines.entries()) {
    const said = /^FAIL (.*)$/.exec(line)?.[1];
    if (said === undefined) continue;
    const details: string[] = [];
    for (let next = index + 1; /^\s+\S/.test(lines[next] ?? ""); next++) details.push(lines[next]!.trim());
    const [, name, reason] = /^(.*?): (.*)$/.exec(said) ?? [];
    if (details.length > 0) failures.push({ name: said, reason: details.join(" ") });
    else failures.push({ name: name ?? said, reason: reason ?? "" });
  }
  return failures;
}

/** Numbers in a reason (times, counts, addresses) do not make it a different reason. */
function groupByReason(failures: readonly Failure[]): string[] {
  const groups = Map.groupBy(failures, ({ reason }) => reason.replaceAll(/\d+/g, "0"));
  return [...groups].flatMap(([key, group]) => {
    if (key === "") return [...new Set(group.map(({ name }) => name))];
    const names = [...new Set(group.map(({ name }) => name))];
    const more = names.length > NAMES ? ` and ${names.length - NAMES} more` : "";
    const times = group.length > 1 ? `${group.length} times: ` : "";
    return [`${times}${names.slice(0, NAMES).join(", ")}${more}: ${group[0]!.reason}`];
  });
}

function hasText(line: string): boolean {
  return line.trim() !== "";
}

/** Shortens a long line in the middle: its end may contain the actual value. */
function truncate(line: string): string {
  if (line.length <= REASON_CHARACTERS) return line;
  const end = REASON_CHARACTERS >> 2;
  return `${line.slice(0, REASON_CHARACTERS - end - 3)} … ${line.slice(-end)}`;
}
