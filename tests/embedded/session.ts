/** The text of a shell session: commands, each followed by its output. */

/** A command and its expected output. */
export interface Exchange {
  /** The comment lines before the command. */
  readonly remarks: string;
  readonly command: string;
  /** Both streams, normalized; an exit code other than 0 is the last line: `[exit 1]`. */
  readonly output: string;
}

/** Parses a session: `# ` starts a comment, `$ ` a command, every other line is output. */
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

/** Prints a session in the format of parseSession(). */
export function printSession(exchanges: readonly Exchange[]): string {
  return exchanges.map(({ remarks, command, output }) => `${remarks}$ ${command}\n${output && `${output}\n`}`).join(
    "\n",
  );
}
