/** Manifests as texts: objects written for an editor, and read from it again. */
import { fieldsOf } from "@tiphys/base/fields_of";
import { parseYaml, positionOf, stringifyYaml } from "@tiphys/model/yaml";
import * as words from "./text/en/manifest.ts";

/** The object as a person edits it: without what the cluster alone writes. */
export function manifestText(object: unknown): string {
  if (typeof object !== "object" || object === null) return "";
  const { status: _status, metadata, ...rest } = object as { status?: unknown; metadata?: Record<string, unknown> };
  const { managedFields: _fields, uid: _uid, generation: _generation, creationTimestamp: _created, ...kept } =
    metadata ??
      {};
  return stringifyYaml({ ...rest, metadata: kept });
}

/** The one object of a text, or what is wrong with the text. */
export function readManifest(text: string): { readonly object: unknown } | { readonly problem: string } {
  const [document, ...more] = parseYaml(text);
  if (!document) return { problem: words.emptyText };
  if (more.length > 0) return { problem: words.severalManifests(more.length + 1) };
  const [error] = document.errors;
  if (error) return { problem: words.lineProblem(error.line, error.message) };
  return { object: document.value };
}

/** The version of a stored object; undefined of one that is stored nowhere. */
export function versionOf(object: unknown): string | undefined {
  const { resourceVersion } = fieldsOf(fieldsOf(object).metadata);
  return typeof resourceVersion === "string" ? resourceVersion : undefined;
}

/** The lines at which fields stand in the text of a manifest; none where it cannot be read. */
export function linesOf(
  text: string,
  ways: readonly (readonly (string | number)[] | undefined)[],
): (number | undefined)[] {
  const [document] = parseYaml(text);
  const isRead = document !== undefined && document.errors.length === 0;
  return ways.map((way) => isRead && way ? positionOf(document, way).line : undefined);
}

/** The most bytes of a file that is read as a manifest: a cluster takes no object of more than a megabyte and a half. */
const MOST_BYTES = 2 * 1024 * 1024;

/** Why a file is no manifest, before it is read; undefined where it may be one. */
export function fileRefusal({ name, size }: { readonly name: string; readonly size: number }): string | undefined {
  if (size <= MOST_BYTES) return undefined;
  return words.fileTooLarge(name, (size / 1024 / 1024).toFixed(1));
}
