/** Sections of a manifest as places to go to: its parts, and each of its templates by name. Pure. */
import { ITEM, outlineOf } from "./completion/outline.ts";

/** A place to go to. */
export interface Section {
  /** The name of the field, or of the template. */
  readonly name: string;
  readonly isTemplate: boolean;
  /** Counted from 1. */
  readonly line: number;
}

/** The longest text that sections are told of, in characters. */
const LONGEST = 256 * 1024;
/** The most sections that are told. */
const MOST = 500;

const PARTS = new Set(["metadata", "spec", "arguments", "templates"]);

/** The sections of the first document of a text, YAML in block style or JSON over several lines, in their order. */
export function sectionsOf(text: string): Section[] {
  if (text.length > LONGEST) return [];
  const { keys } = outlineOf(text.split("\n"), { line: 0, column: 0 });
  return keys.flatMap(({ name, value, path, line }): Section[] => {
    const within = path.slice(0, -1).map((step) => step.name).filter((step) =>
      step !== ITEM && step !== "workflowSpec"
    );
    const isPart = PARTS.has(name) && (within.length === 0 || within.join() === "spec");
    if (isPart) return [{ name, isTemplate: false, line: line + 1 }];
    const isTemplate = name === "name" && within.join() === "spec,templates";
    return isTemplate ? [{ name: value.replace(/,$/, ""), isTemplate, line: line + 1 }] : [];
  }).slice(0, MOST);
}
