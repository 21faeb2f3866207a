/** The controller's log: lines with a level, a message and fields. */
export type Level = "debug" | "info" | "warn" | "error";

/** Writes lines of a program's log; fields are facts about what the message speaks of, never secrets. */
export interface Log {
  debug(message: string, fields?: Record<string, unknown>): void;
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

const ORDER: readonly Level[] = ["debug", "info", "warn", "error"];

/** A log of lines, as text (`key=value`) or JSON; `write` gets each line without its end. */
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
        : Object.entries(entry).map(([key, value]) => `${key}=${quoted(value)}`).join(" "),
    );
  };
  return { debug: emit("debug"), info: emit("info"), warn: emit("warn"), error: emit("error") };
}

/** Fields under Argo's names: a key (`namespace/name`) of a workflow is told as both, and the namespace stands beside it. */
function argoFields(fields: Record<string, unknown>): Record<string, unknown> {
  const { workflow, ...others } = fields;
  if (typeof workflow !== "string" || !workflow.includes("/")) return fields;
  const [namespace, name] = workflow.split(/\/(.*)/s);
  return { workflow: name, namespace, ...others };
}

function quoted(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value) ?? "";
  return /^[\w./:+-]+$/.test(text) ? text : JSON.stringify(text);
}

/** A log that says nothing. */
export const silentLog: Log = lineLog({ level: "error", format: "text", write: () => {} });
