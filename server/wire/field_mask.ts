/** The `fields` parameter of a request: the fields to return or, with a minus in front, to omit. */
import { badRequest } from "./errors.ts";

type Json = unknown;

/** A selection of the fields of a response. */
export interface FieldMask {
  /** Returns the selected parts of a value. */
  apply(value: Json): Json;
  /** Reports whether anything at or below a path may be selected. */
  includes(path: string): boolean;
  /** Reports whether exactly this path is in the mask. Some fields are computed only if they are named. */
  isNamed(path: string): boolean;
}

interface Tree {
  /** Whether the path itself is in the mask, so that everything below it is selected. */
  isEnd: boolean;
  readonly below: Map<string, Tree>;
}

/** The maximum number of segments of a path. No field of a response is deeper. */
const MAX_DEPTH = 200;

/** The mask that selects everything. */
const EVERYTHING: FieldMask = { apply: (value) => value, includes: () => true, isNamed: () => false };

/**
 * Parses a comma-separated list of paths: `metadata,items.metadata.name`. A leading minus means that all of them are
 * omitted. Lists are transparent: a path continues with the fields of their items.
 * @throws {WireError} if a path is too deep.
 */
export function fieldMask(text: string | undefined): FieldMask {
  if (!text?.trim()) return EVERYTHING;
  const leavesOut = text.startsWith("-");
  const tree: Tree = { isEnd: false, below: new Map() };
  for (const path of text.replace(/^-/, "").split(",")) addPath(tree, path.trim().split("."));
  if (leavesOut) {
    return {
      apply: (value) => removeFields(value, tree),
      includes: (path) => !findPath(tree, path.split(".")).isSelected,
      isNamed: () => false,
    };
  }
  return {
    apply: (value) => selectFields(value, tree) ?? {},
    includes: (path) => {
      const { isSelected, tree: left } = findPath(tree, path.split("."));
      return isSelected || left !== undefined;
    },
    isNamed: (path) => findPath(tree, path.split(".")).tree?.isEnd === true,
  };
}

function addPath(tree: Tree, path: readonly string[]): void {
  if (path.length > MAX_DEPTH) throw badRequest(`fields: a path has more than ${MAX_DEPTH} segments`);
  let branch = tree;
  for (const segment of path) {
    const below = branch.below.get(segment) ?? { isEnd: false, below: new Map() };
    branch.below.set(segment, below);
    branch = below;
  }
  branch.isEnd = true;
}

/** Reports whether a path is selected as a whole, and returns the mask below it. */
function findPath(tree: Tree, path: readonly string[]): { isSelected: boolean; tree?: Tree } {
  let branch = tree;
  for (const segment of path) {
    if (branch.isEnd) return { isSelected: true };
    const below = branch.below.get(segment);
    if (!below) return { isSelected: false };
    branch = below;
  }
  return { isSelected: branch.isEnd, tree: branch };
}

/** The selected parts of a value; undefined if nothing is selected. */
function selectFields(value: Json, tree: Tree): Json {
  if (tree.isEnd) return value;
  if (Array.isArray(value)) {
    return value.map((item) => selectFields(item, tree) ?? {});
  }
  if (typeof value !== "object" || value === null) return undefined;
  const kept: Record<string, unknown> = {};
  for (const [name, below] of tree.below) {
    if (!Object.hasOwn(value, name)) continue;
    const part = selectFields((value as Record<string, unknown>)[name], below);
    if (part !== undefined) kept[name] = part;
  }
  return Object.keys(kept).length === 0 ? undefined : kept;
}

/** The value without the selected parts. */
function removeFields(value: Json, tree: Tree): Json {
  if (Array.isArray(value)) return value.map((item) => removeFields(item, tree));
  if (typeof value !== "object" || value === null) return value;
  const kept: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(value)) {
    const below = tree.below.get(name);
    if (!below) kept[name] = part;
    else if (!below.isEnd) kept[name] = removeFields(part, below);
  }
  return kept;
}
