/**
 * JSON patches (RFC 6902) with limits: a patch of a few hundred bytes can copy a list into itself until memory is
 * exhausted, so the cost of every operation is counted while it is applied.
 */

import { isObject } from "@tiphys/base/fields_of";
import { LIMITS } from "@tiphys/base/limits";
import { UserError } from "@tiphys/base/user_error";
import { PatchWork } from "./patch_work.ts";

type Container = unknown[] | Record<string, unknown>;

/** Maximum number of operations of one patch, as in kube-apiserver. */
export const MAX_OPERATIONS = 10_000;
/** Maximum characters of JSON that all `copy` operations of a patch may add, as in kube-apiserver. */
export const MAX_COPIED = 3 * 1024 * 1024;
/** Maximum work of all operations of a patch: about a second. Moving a list item costs 1, all else more. */
export const MAX_WORK = 20_000_000;
const COMPARED_FIELD = 20;
const CLONED_FIELD = 20;
const COPIED_VALUE = 40;
const STEP = 2;

/**
 * Error for a patch that cannot be applied: it is malformed, refers to a missing path, a test failed, or it costs too
 * much.
 */
export class JsonPatchError extends UserError {
  override readonly name = "JsonPatchError";
}

/**
 * Applies every operation in order. The document itself is not modified; parts that no operation changes are shared
 * with the result.
 * @throws {JsonPatchError}
 * @throws {PatchWorkError} for more work than `limit`.
 */
export function applyJsonPatch<T>(document: T, patch: unknown, limit = MAX_WORK): T {
  if (!Array.isArray(patch)) throw new JsonPatchError("Expected a JSON patch to be a list of operations");
  if (patch.length > MAX_OPERATIONS) {
    const allowed = `The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}`;
    throw new JsonPatchError(`${allowed}, got ${patch.length}`);
  }
  const patched = new PatchTarget(document, limit);
  for (const [index, operation] of patch.entries()) {
    try {
      patched.apply(isObject(operation) ? operation : refuse("the operation is not an object"));
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      const { op = "?", path = "?" } = isObject(operation) ? operation : {};
      throw new JsonPatchError(
        `Operation ${index} (${excerptOf(op)} ${excerptOf(path)}) cannot be applied: ${error.message}`,
      );
    }
  }
  return patched.document as T;
}

/** The reason why an operation cannot be applied. It never quotes the document, which may be a Secret. */
class OperationError extends Error {}

function refuse(reason: string): never {
  throw new OperationError(reason);
}

/** Maximum length of the part of an operation that a message quotes. */
const MAX_EXCERPT = 200;

function excerptOf(value: unknown): string {
  const text = typeof value === "string" ? value : typeof value;
  return text.length > MAX_EXCERPT ? `${text.slice(0, MAX_EXCERPT)}…` : text;
}

/** A document while it is patched. A list or object is cloned when an operation first changes it. */
class PatchTarget {
  /** The cloned lists and objects, which may be modified in place. */
  readonly #own = new Set<Container>();
  readonly #work: PatchWork;
  #copied = 0;

  constructor(public document: unknown, limit: number) {
    const refusal = "the patch copies, moves or compares too many items of lists and fields of objects";
    this.#work = new PatchWork(limit, limit < MAX_WORK ? undefined : () => refuse(refusal));
  }

  apply(operation: Readonly<Record<string, unknown>>): void {
    const path = pointerOf(operation.path, "path");
    switch (operation.op) {
      case "add":
        return this.#add(path, valueOf(operation));
      case "remove":
        return void this.#remove(path);
      case "replace":
        return this.#replace(path, valueOf(operation));
      case "move":
        return this.#move(pointerOf(operation.from, "from"), path);
      case "copy":
        return this.#add(path, this.#clone(this.#get(pointerOf(operation.from, "from")), LIMITS.depth));
      case "test":
        if (!this.#same(this.#get(path), valueOf(operation))) refuse("the test failed");
        return;
      default:
        refuse("the op is not one of add, remove, replace, move, copy and test");
    }
  }

  #get(path: readonly string[]): unknown {
    this.#work.spend(STEP * path.length);
    let value = this.document;
    for (const step of path) value = childOf(value, step);
    return value;
  }

  /** Returns the list or object at a path. Objects on the way are cloned if needed. */
  #modifiable(path: readonly string[]): Container {
    this.#work.spend(STEP * path.length);
    let container = this.document = this.#clonedOnce(this.document);
    for (const step of path) {
      const child = this.#clonedOnce(childOf(container, step));
      setChild(container, step, child);
      container = child;
    }
    return container;
  }

  #clonedOnce(value: unknown): Container {
    if (!isContainer(value)) return refuse("the path leads through a value that is neither a list nor an object");
    if (this.#own.has(value)) return value;
    this.#work.spend(Array.isArray(value) ? value.length : CLONED_FIELD * Object.keys(value).length);
    const copy = Array.isArray(value) ? [...value] : { ...value };
    this.#own.add(copy);
    return copy;
  }

  #add(path: readonly string[], value: unknown): void {
    const last = path.at(-1);
    if (last === undefined) return void (this.document = value);
    const parent = this.#modifiable(path.slice(0, -1));
    if (!Array.isArray(parent)) return setChild(parent, last, value);
    const index = last === "-" ? parent.length : indexOf(last);
    if (index > parent.length) refuse(`the list has ${parent.length} items`);
    this.#work.spend(parent.length - index);
    parent.splice(index, 0, value);
  }

  #remove(path: readonly string[]): unknown {
    const last = path.at(-1);
    if (last === undefined) return refuse("the whole document cannot be removed");
    const parent = this.#modifiable(path.slice(0, -1));
    const value = childOf(parent, last);
    if (Array.isArray(parent)) {
      const index = indexOf(last);
      this.#work.spend(parent.length - index);
      parent.splice(index, 1);
    } else delete parent[last];
    return value;
  }

  #replace(path: readonly string[], value: unknown): void {
    const last = path.at(-1);
    if (last === undefined) return void (this.document = value);
    const parent = this.#modifiable(path.slice(0, -1));
    childOf(parent, last);
    setChild(parent, last, value);
  }

  #move(from: readonly string[], path: readonly string[]): void {
    const isPrefix = from.every((step, index) => path[index] === step);
    if (isPrefix && from.length === path.length) return void this.#get(from);
    if (isPrefix) refuse("a value cannot be moved into itself");
    this.#add(path, this.#remove(from));
  }

  /** Clones a value and counts its size, so that later changes at one path do not affect the other. */
  #clone(value: unknown, levels: number): unknown {
    this.#work.spend(COPIED_VALUE);
    if (!isContainer(value)) {
      this.#countCopied(typeof value === "string" ? value.length + 2 : 4);
      return value;
    }
    if (levels === 0) return refuse(`lists and objects are nested more than ${LIMITS.depth} levels deep`);
    this.#countCopied(2);
    if (Array.isArray(value)) return value.map((item) => this.#clone(item, levels - 1));
    const copy: Record<string, unknown> = {};
    for (const [field, item] of Object.entries(value)) {
      this.#countCopied(field.length + 3);
      setChild(copy, field, this.#clone(item, levels - 1));
    }
    return copy;
  }

  #countCopied(characters: number): void {
    this.#copied += characters;
    if (this.#copied <= MAX_COPIED) return;
    const size = `the accumulated size increase of copy is more than the limit ${MAX_COPIED}`;
    refuse(`Unable to complete the copy, ${size}`);
  }

  #same(there: unknown, expected: unknown): boolean {
    if (!isContainer(there) || !isContainer(expected)) return there === expected;
    if (Array.isArray(there) || Array.isArray(expected)) {
      return Array.isArray(there) && Array.isArray(expected) && there.length === expected.length &&
        there.every((item, index) => this.#same(item, expected[index]));
    }
    const fields = Object.keys(expected);
    const present = Object.keys(there).length;
    this.#work.spend(COMPARED_FIELD * (fields.length + present));
    return fields.length === present &&
      fields.every((field) => Object.hasOwn(there, field) && this.#same(there[field], expected[field]));
  }
}

function isContainer(value: unknown): value is Container {
  return typeof value === "object" && value !== null;
}

function valueOf(operation: Readonly<Record<string, unknown>>): unknown {
  return operation.value === undefined ? refuse("it has no value") : operation.value;
}

/** Returns the steps of a JSON pointer (RFC 6901). */
function pointerOf(pointer: unknown, field: string): string[] {
  if (typeof pointer !== "string") return refuse(`its ${field} is not a string`);
  if (pointer === "") return [];
  if (!pointer.startsWith("/")) return refuse(`its ${field} does not start with "/"`);
  const steps = pointer.slice(1).split("/", LIMITS.depth + 1);
  if (steps.length > LIMITS.depth) refuse(`its ${field} has more than ${LIMITS.depth} steps`);
  return steps.map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function childOf(value: unknown, step: string): unknown {
  if (Array.isArray(value)) {
    const index = indexOf(step);
    return index < value.length ? value[index] : refuse(`the list has ${value.length} items`);
  }
  if (!isContainer(value) || !Object.hasOwn(value, step)) return refuse("the path does not exist");
  return (value as Record<string, unknown>)[step];
}

/** Sets a field, including `__proto__`, or an existing list item. */
function setChild(container: Container, step: string, value: unknown): void {
  if (Array.isArray(container)) container[indexOf(step)] = value;
  else if (step !== "__proto__") container[step] = value;
  else Object.defineProperty(container, step, { value, enumerable: true, configurable: true, writable: true });
}

const INDEX = /^(0|[1-9]\d{0,8})$/;

function indexOf(step: string): number {
  return INDEX.test(step) ? Number(step) : refuse(`${JSON.stringify(excerptOf(step))} is not the index of a list`);
}
