/** The `fields` of a request: the parts of an answer that are wanted, or, behind a minus, those that are not. */
import { badRequest } from "./errors.ts";

type Json = unknown;

/** The selection of fields that a client wants from an answer. */
export interface FieldMask {
  /** The answer with its wanted parts only. */
  apply(value: Json): Json;
  /** Whether anything at or below this path may be wanted. */
  wants(path: string): boolean;
  /** Whether this very path is named: what is made only for who asks for it. */
  names(path: string): boolean;
}

interface Tree {
  /** Whether the path is named itself: all below it is meant. */
  isEnd: boolean;
  readonly below: Map<string, Tree>;
}

/** The most names between the dots of a path: no field of an answer lies deeper. */
const DEEPEST = 200;

/** The mask that wants everything. */
const EVERYTHING: FieldMask = { apply: (value) => value, wants: () => true, names: () => false };

/**
 * Reads a list of paths with commas between them: `metadata,items.metadata.name`. A minus before the first means all of
 * them are left out. Lists are passed through: a path names the fields of their items.
 * @throws {WireError} for a path that is deeper than any answer.
 */
export function fieldMask(text: string | undefined): FieldMask {
  if (!text?.trim()) return EVERYTHING;
  const leavesOut = text.startsWith("-");
  const tree: Tree = { isEnd: false, below: new Map() };
  for (const path of text.replace(/^-/, "").split(",")) add(tree, path.trim().split("."));
  if (leavesOut) {
    return {
      apply: (value) => without(value, tree),
      wants: (path) => !find(tree, path.split(".")).isMeant,
      names: () => false,
    };
  }
  return {
    apply: (value) => within(value, tree) ?? {},
    wants: (path) => {
      const { isMeant, tree: left } = find(tree, path.split("."));
      return isMeant || left !== undefined;
    },
    names: (path) => find(tree, path.split(".")).tree?.isEnd === true,
  };
}

function add(tree: Tree, path: readonly string[]): void {
  if (path.length > DEEPEST) throw badRequest(`fields: a path has more than ${DEEPEST} names`);
  let at = tree;
  for (const segment of path) {
    const below = at.below.get(segment) ?? { isEnd: false, below: new Map() };
    at.below.set(segment, below);
    at = below;
  }
  at.isEnd = true;
}

/** Whether a path is meant as a whole, and what else is known below it. */
function find(tree: Tree, path: readonly string[]): { isMeant: boolean; tree?: Tree } {
  let at = tree;
  for (const segment of path) {
    if (at.isEnd) return { isMeant: true };
    const below = at.below.get(segment);
    if (!below) return { isMeant: false };
    at = below;
  }
  return { isMeant: at.isEnd, tree: at };
}

/** The named parts of the value; undefined where nothing is left. */
function within(value: Json, tree: Tree): Json {
  if (tree.isEnd) return value;
  if (Array.isArray(value)) {
    return value.map((item) => within(item, tree) ?? {});
  }
  if (typeof value !== "object" || value === null) return undefined;
  const kept: Record<string, unknown> = {};
  for (const [name, below] of tree.below) {
    if (!Object.hasOwn(value, name)) continue;
    const part = within((value as Record<string, unknown>)[name], below);
    if (part !== undefined) kept[name] = part;
  }
  return Object.keys(kept).length === 0 ? undefined : kept;
}

/** The value without the named parts. */
function without(value: Json, tree: Tree): Json {
  if (Array.isArray(value)) return value.map((item) => without(item, tree));
  if (typeof value !== "object" || value === null) return value;
  const kept: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(value)) {
    const below = tree.below.get(name);
    if (!below) kept[name] = part;
    else if (!below.isEnd) kept[name] = without(part, below);
  }
  return kept;
}
