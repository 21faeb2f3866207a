/** The level of a log line, in ascending severity. */
export type Level = "debug" | "info" | "warn" | "error";

/** A program's log. Fields hold facts about the subject of the message, never secrets. */
export interface Log {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

const ORDER: readonly Level[] = ["debug", "info", "warn", "error"];

/** Returns a log that writes text (`key=value`) or JSON; `write` receives each line without its newline. */
export function lineLog(options: {
  readonly level: Level;
  readonly format: "text" | "json";
  readonly write: (line: string) => void;
}): Log {
  const emit = (level: Level) => (message: string, fields: Record<string, unknown> = {}) => {
    if (ORDER.indexOf(level) < ORDER.indexOf(options.level)) return;
    const entry = { time: new Date().toISOString(), level: level.toUpperCase(), msg: message, ...argoFields(fields) };
    options.write(
      options.format === "json"
        ? JSON.stringify(entry)
        : Object.entries(entry).map(([key, value]) => `${key}=${quoteValue(value)}`).join(" "),
    );
  };
  return { debug: emit("debug"), info: emit("info"), warn: emit("warn"), error: emit("error") };
}

/** Renames fields to Argo's names: a workflow key (`namespace/name`) becomes `workflow` and `namespace`. */
function argoFields(fields: Record<string, unknown>): Record<string, unknown> {
  const { workflow, ...others } = fields;
  if (typeof workflow !== "string" || !workflow.includes("/")) return fields;
  const [namespace, name] = workflow.split(/\/(.*)/s);
  return { workflow: name, namespace, ...others };
}

function quoteValue(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value) ?? "";
  return /^[\w./:+-]+$/.test(text) ? text : JSON.stringify(text);
}

/** A log that discards all lines. */
export const silentLog: Log = lineLog({ level: "error", format: "text", write: () => {} });
