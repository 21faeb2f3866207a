/** Entries of logs as Argo Events writes them: a JSON object a line, or a line of text. */
import { fieldsOfJson } from "../../lib/fields_of_json.ts";
import type { PodLine } from "../../lib/workflow_service/mod.ts";
import { grepOf } from "../workflows/grep.ts";
import type { EventKind } from "./kinds.ts";

/** The entries that are meant. */
export interface Wanted {
  readonly grep: string;
  /** The values that fields must have, by their names; empty ones say nothing. */
  readonly fields: Readonly<Record<string, string>>;
}

/** @throws {WireError} for an expression that cannot be read. */
export function entryFilter({ grep, fields }: Wanted): (entry: Readonly<Record<string, unknown>>) => boolean {
  const finds = grepOf(grep);
  const needed = Object.entries(fields).filter(([, value]) => value !== "");
  return (entry) => needed.every(([name, value]) => entry[name] === value) && finds(String(entry.msg ?? ""));
}

/** The entry of a line: what it says itself comes before what is known of its pod. */
export function entryOf(kind: EventKind, { pod, line }: PodLine, now: Date): Record<string, unknown> {
  const { namespace, labels } = pod.metadata;
  const entry: Record<string, unknown> = {
    namespace,
    [kind.nameField]: labels?.[kind.label] ?? "",
    level: "info",
    time: now.toISOString(),
    msg: line,
  };
  const said = line.startsWith("{") ? fieldsOfJson(line) : {};
  for (const field of ["namespace", kind.nameField, ...kind.chosenBy, "level", "time", "msg"]) {
    if (typeof said[field] === "string") entry[field] = said[field];
  }
  // An entry has its time as RFC 3339, whatever the line says.
  if (Number.isNaN(Date.parse(String(entry.time)))) entry.time = now.toISOString();
  return entry;
}
