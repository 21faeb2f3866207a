/** Manifests as text: serializes objects for an editor, and parses the text. */
import { fieldsOf } from "@tiphys/base/fields_of";
import { parseYaml, positionOf, stringifyYaml } from "@tiphys/model/yaml";
import * as words from "./text/en/object_pages.ts";

/** Serializes an object without the fields that only the cluster writes. */
export function manifestText(object: unknown): string {
  if (typeof object !== "object" || object === null) return "";
  const { status: _status, metadata, ...rest } = object as { status?: unknown; metadata?: Record<string, unknown> };
  const { managedFields: _fields, uid: _uid, generation: _generation, creationTimestamp: _created, ...kept } =
    metadata ??
      {};
  return stringifyYaml({ ...rest, metadata: kept });
}

/** Parses the single object of a text, or returns a problem. */
export function readManifest(text: string): { readonly object: unknown } | { readonly problem: string } {
  const [document, ...more] = parseYaml(text);
  if (!document) return { problem: words.emptyText };
  if (more.length > 0) return { problem: words.severalManifests(more.length + 1) };
  const [error] = document.errors;
  if (error) return { problem: words.lineProblem(error.line, error.message) };
  return { object: document.value };
}

/** Returns the resource version of a stored object, or undefined for one that is not stored. */
export function versionOf(object: unknown): string | undefined {
  const { resourceVersion } = fieldsOf(fieldsOf(object).metadata);
  return typeof resourceVersion === "string" ? resourceVersion : undefined;
}

/** Returns the lines of fields in a manifest; empty if it cannot be parsed. */
export function linesOf(
  text: string,
  ways: readonly (readonly (string | number)[] | undefined)[],
): (number | undefined)[] {
  const [document] = parseYaml(text);
  const isRead = document !== undefined && document.errors.length === 0;
  return ways.map((way) => isRead && way ? positionOf(document, way).line : undefined);
}

/** The largest file that is read as a manifest. A cluster accepts objects up to 1.5 MB. */
const MAX_BYTES = 2 * 1024 * 1024;

/** Returns why a file cannot be a manifest, judged before it is read, or undefined. */
export function fileRefusal({ name, size }: { readonly name: string; readonly size: number }): string | undefined {
  if (size <= MAX_BYTES) return undefined;
  return words.fileTooLarge(name, (size / 1024 / 1024).toFixed(1));
}
