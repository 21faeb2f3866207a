/** Converts manifests between YAML and JSON, and keeps comments if possible. Pure. */
import { canonicalJson } from "@tiphys/base/canonical_json";
import { hasComments, parseYaml, stringifyYaml } from "@tiphys/model/yaml";
import { readManifest } from "./manifest.ts";
import { mergeManifests } from "./manifest_merge.ts";

/** The format of a text. JSON is also YAML, but has no comments. */
export type Format = "YAML" | "JSON";

/** Detects the format of a text by its first character. */
export function formatOf(text: string): Format {
  return /^\s*[{[]/.test(text) ? "JSON" : "YAML";
}

/** The YAML text before its conversion to JSON, from which comments are restored. */
export interface FormerYaml {
  readonly text: string;
  readonly object: unknown;
}

/** A converted manifest, or the reason why it cannot be converted. */
export type ConvertedManifest = {
  readonly text: string;
  /** The original text if it was YAML, for the conversion back. */
  readonly former: FormerYaml | undefined;
  /** Whether comments of the text were lost. */
  readonly losesComments: boolean;
} | { readonly problem: string };

/** Serializes an object as indented JSON. */
export function jsonText(object: unknown): string {
  return `${JSON.stringify(object, undefined, 2)}\n`;
}

/** Converts a text to the other format. If it was YAML before, comments and order are restored. */
export function otherFormat(text: string, former: FormerYaml | undefined): ConvertedManifest {
  const read = readManifest(text);
  if ("problem" in read) return read;
  const { object } = read;
  if (formatOf(text) === "YAML") {
    const [document] = parseYaml(text);
    return { text: jsonText(object), former: { text, object }, losesComments: hasComments(document!) };
  }
  const kept = former && editFormerText(former, object);
  if (kept !== undefined) return { text: kept, former: undefined, losesComments: false };
  const [document] = former ? parseYaml(former.text) : [];
  return {
    text: stringifyYaml(object),
    former: undefined,
    losesComments: document !== undefined && hasComments(document),
  };
}

/** Applies later changes to the former text; returns undefined if it cannot be edited. */
function editFormerText({ text, object: before }: FormerYaml, object: unknown): string | undefined {
  if (isSame(before, object)) return text;
  const merged = mergeManifests(before, text, object);
  if (!merged || merged.conflicts.length > 0) return undefined;
  const read = readManifest(merged.text);
  return "object" in read && isSame(read.object, object) ? merged.text : undefined;
}

function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}
