/** The two ways in which a manifest is written, and the way from one to the other that keeps what it can. Pure. */
import { canonicalJson } from "@tiphys/base/canonical_json";
import { hasComments, parseYaml, stringifyYaml } from "@tiphys/model/yaml";
import { readManifest } from "./manifest.ts";
import { mergeManifests } from "./manifest_merge.ts";

/** How a text is written; JSON is YAML too, but has no comments. */
export type Format = "YAML" | "JSON";

/** How a text is written, by its first sign. */
export function formatOf(text: string): Format {
  return /^\s*[{[]/.test(text) ? "JSON" : "YAML";
}

/** A text in YAML that became one in JSON: with it comments come back. */
export interface FormerYaml {
  readonly text: string;
  readonly object: unknown;
}

/** A manifest written the other way, or why it cannot be. */
export type Written = {
  readonly text: string;
  /** What the text is made anew from, where it was YAML. */
  readonly former: FormerYaml | undefined;
  /** Whether comments of the text are not in the new one. */
  readonly losesComments: boolean;
} | { readonly problem: string };

/** An object as JSON, as editors write it. */
export function jsonText(object: unknown): string {
  return `${JSON.stringify(object, undefined, 2)}\n`;
}

/** A text in YAML as JSON, and the other way round; of a text that was YAML before, comments and order are kept. */
export function otherFormat(text: string, former: FormerYaml | undefined): Written {
  const read = readManifest(text);
  if ("problem" in read) return read;
  const { object } = read;
  if (formatOf(text) === "YAML") {
    const [document] = parseYaml(text);
    return { text: jsonText(object), former: { text, object }, losesComments: hasComments(document!) };
  }
  const kept = former && withFormer(former, object);
  if (kept !== undefined) return { text: kept, former: undefined, losesComments: false };
  const [document] = former ? parseYaml(former.text) : [];
  return {
    text: stringifyYaml(object),
    former: undefined,
    losesComments: document !== undefined && hasComments(document),
  };
}

/** The former text with what was changed since; undefined where that cannot be set in it. */
function withFormer({ text, object: before }: FormerYaml, object: unknown): string | undefined {
  if (isSame(before, object)) return text;
  const merged = mergeManifests(before, text, object);
  if (!merged || merged.conflicts.length > 0) return undefined;
  const read = readManifest(merged.text);
  return "object" in read && isSame(read.object, object) ? merged.text : undefined;
}

function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other);
}
