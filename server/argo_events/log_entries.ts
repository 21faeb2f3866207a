/** Log entries of Argo Events: each line is a JSON object or plain text. */
import { fieldsOfJson } from "@tiphys/base/fields_of_json";
import type { PodLine } from "@tiphys/service";
import { grepOf } from "../workflows/grep.ts";
import type { EventKind } from "./kinds.ts";

/** A filter of log entries. */
export interface EntryFilter {
  readonly grep: string;
  /** The required values of fields, by name. Empty values match everything. */
  readonly fields: Readonly<Record<string, string>>;
}

/** @throws {WireError} for an invalid regular expression. */
export function entryFilter({ grep, fields }: EntryFilter): (entry: Readonly<Record<string, unknown>>) => boolean {
  const finds = grepOf(grep);
  const needed = Object.entries(fields).filter(([, value]) => value !== "");
  return (entry) => needed.every(([name, value]) => entry[name] === value) && finds(String(entry.msg ?? ""));
}

/** Converts a line into an entry. Fields of the line take precedence over those derived from its pod. */
export function entryOf(kind: EventKind, { pod, line }: PodLine, now: Date): Record<string, unknown> {
  const { namespace, labels } = pod.metadata;
  const entry: Record<string, unknown> = {
    namespace,
    [kind.nameField]: labels?.[kind.label] ?? "",
    level: "info",
    time: now.toISOString(),
    msg: line,
  };
  const parsed = line.startsWith("{") ? fieldsOfJson(line) : {};
  for (const field of ["namespace", kind.nameField, ...kind.chosenBy, "level", "time", "msg"]) {
    if (typeof parsed[field] === "string") entry[field] = parsed[field];
  }
  // The time must be RFC 3339, so an invalid one is replaced.
  if (Number.isNaN(Date.parse(String(entry.time)))) entry.time = now.toISOString();
  return entry;
}
