/** The names that tags may use at one point of a workflow. Values are not known before it runs, names are. */
import type { Template } from "@tiphys/model/api";
import { holdsTag } from "../template/name_rules.ts";
import { hasOutput } from "./template_type.ts";

/** A set of names, with prefixes under which every name is taken for good. */
export class Scope {
  readonly #names = new Set<string>();
  readonly #prefixes = new Set<string>();
  readonly #opened = new Set<string>();
  #around?: Scope;
  #tasks?: () => ReadonlySet<string>;
  /** The names that lead to others: `steps` and `steps.a` for `steps.a.id`. */
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

  /** Whether a known name begins with this and a dot. */
  leads(path: string): boolean {
    return this.#paths.has(path) || this.#leadsToStatus(path) || (this.outer?.leads(path) ?? false);
  }

  /** Whether the items of a loop are objects with known fields. */
  get hasItemFields(): boolean {
    return this.#hasItemFields || (this.outer?.hasItemFields ?? false);
  }

  #leadsToStatus(path: string): boolean {
    if (!this.#tasks || !`${path}.`.startsWith("tasks.")) return false;
    return path === "tasks" ? this.#tasks().size > 0 : this.#tasks().has(path.slice("tasks.".length));
  }

  /** Accepts every name that begins with this: the names are known only at run time. */
  allow(prefix: string): void {
    this.#prefixes.add(prefix);
  }

  /** Adds `tasks.NAME.status` of tasks that may be many: they are asked for where such a name is. */
  addStatuses(tasks: () => ReadonlySet<string>): void {
    this.#tasks = tasks;
  }

  /** Whether this very name is known. */
  has(name: string): boolean {
    return this.#names.has(name) || this.#isStatus(name) || (this.outer?.has(name) ?? false);
  }

  #isStatus(name: string): boolean {
    if (!this.#tasks || !name.startsWith("tasks.") || !name.endsWith(".status")) return false;
    return this.#tasks().has(name.slice("tasks.".length, -".status".length));
  }

  /** Whether a tag with this name can be resolved, as far as can be told. */
  resolves(name: string): boolean {
    if (this.has(name)) return true;
    for (const prefix of this.#prefixes) if (name.startsWith(prefix)) return true;
    if (this.#isOpened(name)) return true;
    return this.outer?.resolves(name) ?? false;
  }

  /** Accepts every name below this one: it comes from a template that is not at hand, or is chosen at run time. */
  open(path: string): void {
    this.#opened.add(path);
  }

  #isOpened(name: string): boolean {
    for (let dot = name.length; dot > 0 && this.#opened.size > 0; dot = name.lastIndexOf(".", dot - 1)) {
      if (this.#opened.has(name.slice(0, dot))) return true;
    }
    return false;
  }

  /** Lets expressions ask for what stands around an inline template. Tags are not spared, as in the peer. */
  openTo(around: Scope): void {
    this.#around = around;
  }

  /** Whether names may stand here, or below, that this scope knows nothing of. */
  isOpen(name: string): boolean {
    for (const prefix of this.#prefixes) if (`${name}.`.startsWith(prefix)) return true;
    if (this.#isOpened(name)) return true;
    return (this.outer?.isOpen(name) ?? false) || (this.#around?.mayHold(name) ?? false);
  }

  private mayHold(name: string): boolean {
    return this.resolves(name) || this.isOpen(name) || this.leads(name);
  }

  /** All names, for suggestions. */
  *names(): IterableIterator<string> {
    yield* this.#names;
    if (this.#tasks) { for (const task of this.#tasks()) yield `tasks.${task}.status`; }
    if (this.outer) yield* this.outer.names();
  }
}

/** Names that are always there when the tag is looked at, or whose absence is no mistake of the author. */
const ALWAYS = [
  "outputs.",
  "workflow.creationTimestamp",
  "workflow.scheduledTime",
  "workflow.duration",
  "tasks.name",
  "steps.name",
];

/** Whether a tag with this name has a value at some time, as far as can be told. */
export function isResolved(name: string, scope: Scope): boolean {
  return scope.resolves(name) || ALWAYS.some((prefix) => name.startsWith(prefix));
}

/**
 * Adds the names of a step or task that others may refer to: `prefix` is `steps.NAME` or `tasks.NAME`. The outputs of a
 * loop over items come as lists. Without a template, which may be known only at run time, every name is accepted.
 */
export function addOutputs(scope: Scope, prefix: string, template: Template | undefined, isLoop = false): void {
  scope.add(`${prefix}.id`, `${prefix}.startedAt`, `${prefix}.finishedAt`, `${prefix}.hostNodeName`);
  if (template === undefined) return scope.open(prefix);
  if (template.daemon) scope.add(`${prefix}.ip`);
  if (hasOutput(template)) scope.add(`${prefix}.outputs.result`, `${prefix}.exitCode`);
  for (const { name } of template.outputs?.parameters ?? []) scope.add(`${prefix}.outputs.parameters.${name}`);
  for (const { name } of template.outputs?.artifacts ?? []) scope.add(`${prefix}.outputs.artifacts.${name}`);
  if (!isLoop) return;
  scope.add(`${prefix}.outputs.parameters`);
  if (template.script || template.containerSet) scope.add(`${prefix}.outputs.result`, `${prefix}.exitCode`);
}

/**
 * Adds the global outputs that a step or task exports when it has run, for everyone; a name that only shows at run time
 * only lets its own template ask for anything.
 */
export function addGlobalOutputs(globals: Scope, own: Scope, template: Template | undefined): void {
  for (const kind of ["parameters", "artifacts"] as const) {
    for (const { globalName } of template?.outputs?.[kind] ?? []) {
      if (!globalName) continue;
      if (holdsTag(globalName)) own.allow(`workflow.outputs.${kind}.`);
      else globals.add(`workflow.outputs.${kind}.${globalName}`);
    }
  }
}
