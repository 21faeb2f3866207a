/** Annotations of GitHub Actions: workflow commands that attach a message to a line of a file. */

/** The content of an annotation. */
export interface Annotation {
  readonly message: string;
  readonly title?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  /** `error` when absent. */
  readonly level?: "error" | "warning" | undefined;
}

/** Returns the workflow command of an annotation. */
export function githubAnnotation(
  file: string | undefined,
  { title, message, line, column, level = "error" }: Annotation,
): string {
  const fields = Object.entries({ file, line, col: column, title }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${escapedProperty(String(value))}`]
  );
  return `::${level}${fields.length > 0 ? ` ${fields.join(",")}` : ""}::${escapedData(message)}`;
}

/**
 * Returns the line after which GitHub Actions ignores workflow commands, until {@link resumeCommands} with the same
 * token.
 */
export function stopCommands(token: string): string {
  return `::stop-commands::${token}`;
}

/** Returns the line after which GitHub Actions interprets workflow commands again. */
export function resumeCommands(token: string): string {
  return `::${token}::`;
}

/** Escapes the text of a workflow command, which is a single line. */
export function escapedData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapedProperty(text: string): string {
  return escapedData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
