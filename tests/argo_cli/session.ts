/** A session with a command line: commands, what they print, and the code that each ends with. */

/** One step: a command, or a change that somebody else makes in between. */
export type Step =
  | {
    readonly kind: "command";
    readonly args: readonly string[];
    readonly expected: string;
    readonly isGrpcOnly: boolean;
  }
  | { readonly kind: "patch"; readonly name: string; readonly patch: Record<string, unknown>; readonly line: string };

/**
 * Reads a session: `$ argo ARGUMENTS` and its output, `! NAME PATCH` for a patch of a workflow's status. `% argo` is a command
 * for gRPC alone: over HTTP/1 Argo's CLI prints memory addresses where a stream is refused.
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
    } else if (line !== "") throw new Error(`No step of a session: ${line}`);
  }
  return steps;
}

/** The words of a command; those in single quotes hold blanks. */
function words(line: string): readonly string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

/** The session as a text, with what was printed now. */
export function writeSession(steps: readonly Step[], printed: readonly string[]): string {
  return steps.map((step, index) =>
    step.kind === "patch"
      ? `${step.line}\n`
      : `${step.isGrpcOnly ? "%" : "$"} argo ${step.args.map(quoted).join(" ")}\n${printed[index]}\n`
  ).join("");
}

function quoted(word: string): string {
  return /^[^\s']+$/.test(word) ? word : `'${word}'`;
}

/** An output without colours, and without what is different at each time: names that are made, times, ages. */
export function steady(output: string): string {
  // deno-lint-ignore no-control-regex
  const plain = output.replace(/\x1b\[[0-9;]*[A-Za-z]/g, "");
  return plain
    .replace(/\w{3} \w{3} \d\d [\d:]{8} [+-]\d{4} \([^)]*\)/g, "TIME")
    .replace(/time=\S+/g, "time=TIME")
    .replace(/20\d\d-\d\d-\d\d[T ][\d:]{8}(?: \+0000 UTC|Z)/g, "TIME")
    .replace(/\b(?:\d+[smhd])+\b/g, "AGE")
    .replace(/\b\d+ (?:second|minute|hour|day)s?\b(?: \d+ (?:second|minute|hour)s?\b)?/g, "AGE")
    .replace(/-[a-z0-9]{5}(?=[\s:']|$)/gm, "-XXXXX")
    .replace(/ {2,}/g, "  ")
    .replace(/[ \t]+$/gm, "")
    .replace(/\n+$/, "");
}
