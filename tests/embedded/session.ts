/** The text of a session of a shell: commands and, below each, what they say. */

/** A command, and the output that is expected of it. */
export interface Exchange {
  /** The lines before the command that are for people. */
  readonly remarks: string;
  readonly command: string;
  /** Both streams, normalised; an exit code other than 0 is its last line: `[exit 1]`. */
  readonly output: string;
}

/** Reads a session: `# ` is a remark, `$ ` a command, everything else output. */
export function parseSession(text: string): Exchange[] {
  const exchanges: { remarks: string; command: string; output: string }[] = [];
  let remarks = "";
  for (const line of text.split("\n")) {
    if (line.startsWith("# ")) remarks += `${line}\n`;
    else if (line.startsWith("$ ")) {
      exchanges.push({ remarks, command: line.slice(2), output: "" });
      remarks = "";
    } else if (exchanges.length > 0) exchanges.at(-1)!.output += `${line}\n`;
  }
  return exchanges.map((exchange) => ({ ...exchange, output: exchange.output.trim() }));
}

/** Writes a session as parseSession() reads it. */
export function printSession(exchanges: readonly Exchange[]): string {
  return exchanges.map(({ remarks, command, output }) => `${remarks}$ ${command}\n${output && `${output}\n`}`).join(
    "\n",
  );
}
