/** Replaces the parts of output that differ between runs or kubectl versions by placeholders. */

/** Replacements in order; later ones read the result of earlier ones. */
const REPLACEMENTS: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<uid>"],
  [/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "<time>"],
  [/\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d [+-]\d{4}/g, "<time>"],
  [/(resourceVersion: ")\d+(")/g, "$1<version>$2"],
  [/(Resource Version: +)\d+/g, "$1<version>"],
  [/(https?:\/\/)[\w.]+:\d+/g, "$1<address>"],
  // Newer kubectls also print the namespace, and the other containers.
  [/(container \S+ is not valid for pod \S+) out of: .*/g, "$1"],
  [/("\S+" (?:force )?deleted) from \S+ namespace/g, "$1"],
  [/\b(?:\d+[smhd])+(?= |$)/gm, "<age>"],
  // Columns are as wide as their content, which differs from run to run.
  [/(?<=\S) {2,}/g, "  "],
  [/ +$/gm, ""],
];

export function normalizeOutput(output: string): string {
  return REPLACEMENTS.reduce((text, [pattern, name]) => text.replaceAll(pattern, name), output).trim();
}
