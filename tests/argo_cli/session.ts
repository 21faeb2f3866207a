/** A session: commands, their output, and their exit codes. */

/** A step: a command, or a change by another client. */
export type Step =
  | {
    readonly kind: "command";
    readonly args: readonly string[];
    readonly expected: string;
    readonly isGrpcOnly: boolean;
  }
  | { readonly kind: "patch"; readonly name: string; readonly patch: Record<string, unknown>; readonly line: string };

/**
 * Parses a session: `$ argo ARGUMENTS` and its output, or `! NAME PATCH` for a patch of a workflow's status. `% argo`
 * is a command that is only run over gRPC: over HTTP/1, Argo's CLI prints memory addresses when a stream is refused.
 */
export function readSession(text: string): readonly Step[] {
  const steps: Step[] = [];
  for (const block of text.split(/\n(?=[$%!] )/)) {
    const [line = "", ...rest] = block.replace(/\n$/, "").split("\n");
    if (line.startsWith("$ argo ") || line.startsWith("% argo ")) {
      const args = words(line.slice("$ argo ".length));
      steps.push({ kind: "command", args, expected: rest.join("\n"), isGrpcOnly: line.startsWith("%") });
    } else if (line.startsWith("! ")) {
      const [, name = "", patch = "{}"] = /^! (\S+) (.*)$/.exec(line) ?? [];
      steps.push({ kind: "patch", name, patch: JSON.parse(patch), line });
    } else if (line !== "") throw new Error(`Expected a line with $, % or !, got ${line}`);
  }
  return steps;
}

/** The words of a command. Words in single quotes may contain spaces. */
function words(line: string): readonly string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

/** The text of a session with the current output. */
export function writeSession(steps: readonly Step[], printed: readonly string[]): string {
  return steps.map((step, index) =>
    step.kind === "patch"
      ? `${step.line}\n`
      : `${step.isGrpcOnly ? "%" : "$"} argo ${step.args.map(quoteWord).join(" ")}\n${printed[index]}\n`
  ).join("");
}

function quoteWord(word: string): string {
  return /^[^\s']+$/.test(word) ? word : `'${word}'`;
}

/** An output without colors and without parts that change each time: generated names, times, ages. */
export function withoutVariableParts(output: string): string {
  // deno-lint-ignore no-control-regex
  const plain = output.replace(/\x1b\[[0-9;]*[A-Za-z]/g, "");
  return plain
    .replace(/\w{3} \w{3} \d\d [\d:]{8} [+-]\d{4} \([^)]*\)/g, "TIME")
    .replace(/time=\S+/g, "time=TIME")
    .replace(/20\d\d-\d\d-\d\d[T ][\d:]{8}(?: \+0000 UTC|Z)/g, "TIME")
    .replace(/\b(?:\d+[smhd])+\b/g, "AGE")
    .replace(/\b\d+ (?:second|minute|hour|day|week)s?\b(?: \d+ (?:second|minute|hour|day)s?\b)?/g, "AGE")
    .replace(/-[a-z0-9]{5}(?=[\s:']|$)/gm, "-XXXXX")
    .replace(/ {2,}/g, "  ")
    .replace(/[ \t]+$/gm, "")
    .replace(/\n+$/, "");
}
