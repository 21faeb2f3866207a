/** The names that tags may use in some part of a workflow. Before a run, names are known, but values are not. */
import type { Template } from "@tiphys/model/api";
import { containsTag } from "../template/name_rules.ts";
import { hasOutput } from "./template_type.ts";

/** A set of names, with prefixes under which all names are accepted. */
export class Scope {
  readonly #names = new Set<string>();
  readonly #prefixes = new Set<string>();
  readonly #opened = new Set<string>();
  #around?: Scope;
  #tasks?: () => ReadonlySet<string>;
  /** Proper prefixes of names: `steps` and `steps.a` for `steps.a.id`. */
  readonly #paths = new Set<string>();
  #hasItemFields = false;

  constructor(private readonly outer?: Scope) {}

  /** Adds names. */
  add(...names: string[]): void {
    for (const name of names) this.#add(name);
  }

  #add(name: string): void {
    if (this.#names.has(name)) return;
    this.#names.add(name);
    this.#hasItemFields ||= name.startsWith("item.") && !name.startsWith("item.[");
    for (let dot = name.lastIndexOf("."); dot > 0; dot = name.lastIndexOf(".", dot - 1)) {
      const path = name.slice(0, dot);
      if (this.#paths.has(path)) break;
      this.#paths.add(path);
    }
  }

  /** Whether a known name begins with this path and a dot. */
  hasNamesBelow(path: string): boolean {
    return this.#paths.has(path) || this.#hasStatusBelow(path) || (this.outer?.hasNamesBelow(path) ?? false);
  }

  /** Whether the items of a loop are objects with known fields. */
  get hasItemFields(): boolean {
    return this.#hasItemFields || (this.outer?.hasItemFields ?? false);
  }

  #hasStatusBelow(path: string): boolean {
    if (!this.#tasks || !`${path}.`.startsWith("tasks.")) return false;
    return path === "tasks" ? this.#tasks().size > 0 : this.#tasks().has(path.slice("tasks.".length));
  }

  /** Accepts all names with this prefix, which are only known at run time. */
  allow(prefix: string): void {
    this.#prefixes.add(prefix);
  }

  /**
   * Adds `tasks.NAME.status` for a possibly large number of tasks, which is evaluated only on a lookup of such a name.
   */
  addStatuses(tasks: () => ReadonlySet<string>): void {
    this.#tasks = tasks;
  }

  /** Whether exactly this name is known. */
  has(name: string): boolean {
    return this.#names.has(name) || this.#isStatus(name) || (this.outer?.has(name) ?? false);
  }

  #isStatus(name: string): boolean {
    if (!this.#tasks || !name.startsWith("tasks.") || !name.endsWith(".status")) return false;
    return this.#tasks().has(name.slice("tasks.".length, -".status".length));
  }

  /** Whether a tag with this name can be resolved, as far as known. */
  canResolve(name: string): boolean {
    if (this.has(name)) return true;
    for (const prefix of this.#prefixes) if (name.startsWith(prefix)) return true;
    if (this.#isOpened(name)) return true;
    return this.outer?.canResolve(name) ?? false;
  }

  /** Accepts all names below this one, for a template that is not available or only known at run time. */
  acceptBelow(path: string): void {
    this.#opened.add(path);
  }

  #isOpened(name: string): boolean {
    for (let dot = name.length; dot > 0 && this.#opened.size > 0; dot = name.lastIndexOf(".", dot - 1)) {
      if (this.#opened.has(name.slice(0, dot))) return true;
    }
    return false;
  }

  /** Lets expressions use the names around an inline template. As in Argo, this does not apply to tags. */
  addNamesAround(around: Scope): void {
    this.#around = around;
  }

  /** Whether there may be names at or below this one that the scope does not know. */
  mayHaveUnknownNames(name: string): boolean {
    for (const prefix of this.#prefixes) if (`${name}.`.startsWith(prefix)) return true;
    if (this.#isOpened(name)) return true;
    return (this.outer?.mayHaveUnknownNames(name) ?? false) || (this.#around?.mayContain(name) ?? false);
  }

  private mayContain(name: string): boolean {
    return this.canResolve(name) || this.mayHaveUnknownNames(name) || this.hasNamesBelow(name);
  }

  /** All names, for suggestions. */
  *names(): IterableIterator<string> {
    yield* this.#names;
    if (this.#tasks) { for (const task of this.#tasks()) yield `tasks.${task}.status`; }
    if (this.outer) yield* this.outer.names();
  }
}

/**
 * Prefixes of names that always have a value when their tag is evaluated, or whose absence is not the author's mistake.
 */
const ALWAYS_RESOLVED = [
  "outputs.",
  "workflow.creationTimestamp",
  "workflow.scheduledTime",
  "workflow.duration",
  "tasks.name",
  "steps.name",
];

/** Whether a tag with this name has a value at some time, as far as known. */
export function isResolved(name: string, scope: Scope): boolean {
  return scope.canResolve(name) || ALWAYS_RESOLVED.some((prefix) => name.startsWith(prefix));
}

/**
 * Adds the names of a step or task that others may use: `prefix` is `steps.NAME` or `tasks.NAME`. The outputs of a loop
 * over items are lists. Without a template, which may only be known at run time, all names are accepted.
 */
export function addOutputs(scope: Scope, prefix: string, template: Template | undefined, isLoop = false): void {
  scope.add(`${prefix}.id`, `${prefix}.startedAt`, `${prefix}.finishedAt`, `${prefix}.hostNodeName`);
  if (template === undefined) return scope.acceptBelow(prefix);
  if (template.daemon) scope.add(`${prefix}.ip`);
  if (hasOutput(template)) scope.add(`${prefix}.outputs.result`, `${prefix}.exitCode`);
  for (const { name } of template.outputs?.parameters ?? []) scope.add(`${prefix}.outputs.parameters.${name}`);
  for (const { name } of template.outputs?.artifacts ?? []) scope.add(`${prefix}.outputs.artifacts.${name}`);
  if (!isLoop) return;
  scope.add(`${prefix}.outputs.parameters`);
  if (template.containerSet) scope.add(`${prefix}.outputs.result`, `${prefix}.exitCode`);
}

/**
 * Adds the global outputs that a step or task exports after it has run. A global name that is only known at run time
 * makes its own template accept all names.
 */
export function addGlobalOutputs(globals: Scope, own: Scope, template: Template | undefined): void {
  for (const kind of ["parameters", "artifacts"] as const) {
    for (const { globalName } of template?.outputs?.[kind] ?? []) {
      if (!globalName) continue;
      if (containsTag(globalName)) own.allow(`workflow.outputs.${kind}.`);
      else globals.add(`workflow.outputs.${kind}.${globalName}`);
    }
  }
}
