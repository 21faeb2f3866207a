/** Sections of a manifest for navigation: its top-level fields, and each template by name. Pure. */
import { ITEM, outlineOf } from "./completion/outline.ts";

/** A section. */
export interface Section {
  /** The name of the field or of the template. */
  readonly name: string;
  readonly isTemplate: boolean;
  /** Counted from 1. */
  readonly line: number;
}

/** The longest text that is scanned, in characters. */
const MAX_SCANNED_LENGTH = 256 * 1024;
/** The maximum number of sections that are listed. */
const MAX_ITEMS = 500;

const PARTS = new Set(["metadata", "spec", "arguments", "templates"]);

/** Lists the sections of the first document, in order. The text is YAML in block style, or JSON on several lines. */
export function sectionsOf(text: string): Section[] {
  if (text.length > MAX_SCANNED_LENGTH) return [];
  const { keys } = outlineOf(text.split("\n"), { line: 0, column: 0 });
  return keys.flatMap(({ name, value, path, line }): Section[] => {
    const within = path.slice(0, -1).map((step) => step.name).filter((step) =>
      step !== ITEM && step !== "workflowSpec"
    );
    const isPart = PARTS.has(name) && (within.length === 0 || within.join() === "spec");
    if (isPart) return [{ name, isTemplate: false, line: line + 1 }];
    const isTemplate = name === "name" && within.join() === "spec,templates";
    return isTemplate ? [{ name: value.replace(/,$/, ""), isTemplate, line: line + 1 }] : [];
  }).slice(0, MAX_ITEMS);
}
