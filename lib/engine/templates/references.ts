/**
 * The calls of a step or task: evaluates `when`, then resolves references to earlier steps or tasks, then creates one
 * copy per item of its loop.
 */
import type { Artifact, DAGTask, Template, WorkflowStep } from "@tiphys/model/api";
import {
  evaluateWhen,
  expandLoop,
  inlineFiller,
  isEmptyLoop,
  markAbsentArguments,
  markAsValues,
  type Mode,
  planOf,
  planOfField,
  recordDerived,
  recordDerivedWith,
  replaceField,
  replaceTags,
  TemplateError,
  type Values,
} from "@tiphys/language/template";
import { LIMITS } from "@tiphys/base/limits";
import { hasLocationOrKey } from "@tiphys/model/artifact/location";
import { isLoop } from "@tiphys/model/templates";
import { ignoreUserError } from "../user_error.ts";
import { artifactPart, resolveArtifact } from "./artifacts.ts";
import { GLOBAL_OUTPUTS_PREFIX, type ReferenceOutcome } from "./reference_outcome.ts";
import type { Slice, StatusDraft } from "../slice.ts";
import type { Scope } from "./scope.ts";
import { resolveTemplate, type TemplateHolder, type TemplateScope } from "../spec/templates.ts";

/** A step of a steps template, or a task of a DAG. */
export type Callable = WorkflowStep | DAGTask;

/**
 * The holder with resolved references. `missing`: a value may follow. `never`: a value is missing and cannot follow.
 */
export type ResolveResult<T> =
  | { readonly kind: "ready"; readonly holder: T }
  | { readonly kind: "missing"; readonly message: string }
  | { readonly kind: "never"; readonly message: string };

/**
 * Facts about references: the outcome of those without a value, and which inputs of the called template have a default.
 */
export interface ReferenceFacts extends ResolveOptions {
  readonly outcomeOf: (name: string) => ReferenceOutcome;
  readonly hasDefault: (input: string) => boolean;
}

/** The options of resolving references. */
export interface ResolveOptions {
  /** The names that must have a value; by default, all except those that are substituted later. */
  readonly mode?: Mode;
  /** Whether an input artifact of the called template is optional. Called only if its source is missing. */
  readonly isOptional?: (artifact: string) => boolean;
}

/** Facts about the inputs of the template that a holder calls. */
export function inputFacts(
  pass: Slice<StatusDraft>,
  holder: TemplateHolder,
  scope: TemplateScope,
): Pick<ReferenceFacts, "hasDefault" | "isOptional"> {
  return {
    hasDefault: (input) => hasDefault(calledTemplate(pass, holder, scope), input),
    isOptional: (artifact) => isOptionalInput(calledTemplate(pass, holder, scope), artifact),
  };
}

/** The template that a holder calls; undefined if it does not exist, which is allowed for a skipped step. */
export function calledTemplate(
  pass: Slice<StatusDraft>,
  holder: TemplateHolder,
  scope: TemplateScope,
): Template | undefined {
  try {
    return resolveTemplate(pass, holder, scope).template;
  } catch (error) {
    ignoreUserError(error);
    return undefined;
  }
}

/** Expanded loops and their sources, by the node name of their step or task. */
const expandedLoops = () => new Map<string, { readonly holder: Callable; readonly items: readonly unknown[] }>();

const REFERENCES = ["steps", "tasks", GLOBAL_OUTPUTS_PREFIX];

const STRICT: Mode = { kind: "strict", prefixes: REFERENCES };

/** The mode for the exit handler of a loop that could not be expanded: it has no item. */
const STRICT_WITHOUT_ITEM: Mode = { kind: "strict", prefixes: [...REFERENCES, "item"] };

/**
 * The mode for the hooks of a step or task. Items of a loop are substituted already, so any other `{{item}}` is the
 * text of an argument of the workflow, which is kept.
 */
export function modeOfHooks(holder: Callable): Mode {
  return isLoop(holder) ? STRICT_WITHOUT_ITEM : STRICT;
}

/** Evaluates a `when` condition. An empty one is true. */
export function isWhenTrue(when: string | undefined): boolean {
  return !when || evaluateWhen(when);
}

/**
 * Returns one copy of the holder per item, named `name(index:item)`. The result is cached while the text of the loop is
 * unchanged. `nodeName` is the node name of the holder itself.
 */
export function expandCalls<T extends Callable>(
  pass: Slice,
  nodeName: string,
  holder: T,
  values: Values,
): readonly T[] {
  if (isEmptyLoop(holder)) return [];
  const known = pass.cache(expandedLoops).get(nodeName);
  if (known && hasSameText(known.holder, holder)) return known.items as readonly T[];
  const expanded = expandLoop(holder, values, {
    items: pass.facts.config.limits.nodes,
    characters: LIMITS.loopCharacters,
  }) as T[];
  const hasParts = holder.arguments?.artifacts?.some(({ subPath }) => subPath !== undefined);
  const items = hasParts ? expanded.map(withArtifactParts) : expanded;
  // Tags other than those of the item may have different values in the next pass.
  if (OTHER_TAG.test(JSON.stringify(holder))) pass.cache(expandedLoops).delete(nodeName);
  else pass.cache(expandedLoops).set(nodeName, { holder, items });
  return items;
}

/**
 * Whether two steps or tasks have the same text. Fields without tags are usually the same objects in two passes, so
 * only the others are serialized.
 */
function hasSameText(some: Callable, other: Callable): boolean {
  const keys = new Set([...Object.keys(some), ...Object.keys(other)]) as Set<keyof Callable>;
  for (const key of keys) {
    if (some[key] !== other[key] && JSON.stringify(some[key]) !== JSON.stringify(other[key])) return false;
  }
  return true;
}

/** A tag that is not simply `{{item}}` or `{{item.key}}`. */
const OTHER_TAG = /\{\{(?!\s*item(?:\.[-\w]+)?\s*\}\})/;

/**
 * Resolves references to earlier steps or tasks. Hooks are unchanged, as they refer to the step's own outputs. A name
 * that never gets a value is replaced by the default that its producer declares, which is added to `values`. Otherwise,
 * its argument is omitted if the called template declares a default.
 * @throws {UserError} if a reference is invalid.
 */
export function resolveReferences<T extends Callable>(
  holder: T,
  scope: Scope,
  values: Map<string, string | null>,
  facts: ReferenceFacts,
): ResolveResult<T> {
  let current = holder;
  for (;;) {
    try {
      return { kind: "ready", holder: resolve(current, scope, values, facts) };
    } catch (error) {
      if (!(error instanceof TemplateError) || error.missingName === undefined) throw error;
      const name = error.missingName;
      if (values.get(name) === null) return { kind: "never", message: error.message };
      const outcome = facts.outcomeOf(name);
      if (outcome.kind === "later") return { kind: "missing", message: error.message };
      if (outcome.kind === "value" && !values.has(name)) {
        values.set(name, outcome.value);
        continue;
      }
      const reduced = withoutArgument(current, name, facts.hasDefault);
      if (reduced) current = reduced;
      else {
        const reason = outcome.kind === "never" ? outcome.reason : error.message;
        return { kind: "never", message: `failed to resolve {{${name}}}: ${reason}` };
      }
    }
  }
}

/** The holder without arguments whose whole value is the name, if their inputs have a default; otherwise undefined. */
function withoutArgument<T extends Callable>(
  holder: T,
  name: string,
  hasDefault: (input: string) => boolean,
): T | undefined {
  const parameters = holder.arguments?.parameters ?? [];
  const isOnlyName = (value = "") =>
    value.startsWith("{{") && value.endsWith("}}") && value.slice(2, -2).trim() === name;
  const remaining = parameters.filter((parameter) => !isOnlyName(parameter.value) || !hasDefault(parameter.name));
  if (remaining.length === parameters.length) return undefined;
  const args = recordDerived(
    { ...holder.arguments, parameters: recordDerived(remaining, parameters) },
    holder.arguments!,
  );
  return recordDerived({ ...holder, arguments: args }, holder);
}

function resolve<T extends Callable>(holder: T, scope: Scope, values: Values, options: ResolveOptions): T {
  const { hooks, ...all } = holder;
  const { mode = STRICT } = options;
  const inline = inlineComposite(holder, values);
  const { inline: _, ...others } = all;
  const body = inline ? others : all;
  const separatePlans = new Map([["hooks", planOfField(holder, "hooks")]]);
  if (inline) separatePlans.set("inline", planOf(inline));
  const withSeparateFields = (fields: object, source: object) =>
    // deno-lint-ignore tiphys/no-double-cast -- the same fields, with tags replaced in their texts
    recordDerivedWith(
      { ...fields, ...(hooks ? { hooks } : {}), ...(inline ? { inline } : {}) },
      source,
      separatePlans,
    ) as unknown as T;
  if (holder.when) {
    const when = replaceField<Callable, "when">(holder, "when", values, mode)!;
    try {
      if (!isWhenTrue(when)) return withSeparateFields({ ...body, when }, holder);
    } catch (error) {
      ignoreUserError(error);
      // The `when` of a loop may refer to `{{item}}`, which has a value only after the expansion.
      if (!isLoop(holder)) throw error;
    }
  }
  if (isLoop(holder)) {
    const { withItems, withParam, withSequence } = holder;
    const loop = replaceTags(recordDerived({ withItems, withParam, withSequence }, holder), values, mode);
    // The arguments of an empty loop are never used, so an error in them must not fail it.
    if (isEmptyLoop(loop)) return withSeparateFields({ ...body, ...loop, arguments: undefined }, holder);
  }
  const marked = recordDerived({ ...body, arguments: markAbsentArguments(holder.arguments, values) }, holder);
  const resolved = replaceTags(marked, values, mode);
  const artifacts = resolved.arguments?.artifacts;
  if (!artifacts) return withSeparateFields(resolved, resolved);
  const found = resolveArtifacts(artifacts, scope, { ...options, isLoop: isLoop(holder) });
  const args = recordDerived({ ...resolved.arguments, artifacts: recordDerived(found, []) }, resolved.arguments!);
  return withSeparateFields({ ...resolved, arguments: args }, resolved);
}

/**
 * An inline steps or DAG template, with all references resolved that have a value already. Its steps or tasks refer to
 * each other, which is resolved when it runs. Undefined for any other template.
 */
function inlineComposite(holder: Callable, values: Values): Template | undefined {
  if (!holder.inline?.steps && !holder.inline?.dag) return undefined;
  return inlineFiller(holder, true)?.({ withItem: values, withoutItem: values });
}

/**
 * Replaces artifacts with `from` by their sources. An optional one whose source does not exist is omitted. In a loop, a
 * `subPath` with tags of the item is kept with the source until `expandCalls` substitutes them.
 */
export function resolveArtifacts(
  artifacts: readonly Artifact[],
  scope: Scope,
  { isOptional, isLoop = false }: ResolveOptions & { readonly isLoop?: boolean } = {},
): Artifact[] {
  return artifacts.flatMap((artifact) => {
    if (!artifact.from && !artifact.fromExpression) return [withoutSubPath(artifact)];
    const part = isLoop ? planOfField(artifact, "subPath") : undefined;
    try {
      const source = resolveArtifact(part ? withoutSubPath(artifact) : artifact, scope);
      if (!source) return [];
      // Without a location, an error of the called template names the reference.
      const from = artifact.from === undefined || hasLocationOrKey(source) ? {} : { from: artifact.from };
      const resolved = markAsValues({ ...withoutSubPath(source), name: artifact.name, ...from });
      return [
        part
          ? recordDerivedWith({ ...resolved, subPath: artifact.subPath }, resolved, new Map([["subPath", part]]))
          : resolved,
      ];
    } catch (error) {
      if (!artifact.optional && !isOptional?.(artifact.name)) throw error;
      ignoreUserError(error);
      return [];
    }
  });
}

/** Whether an input of a called template has a value without an argument. */
function hasDefault(template: Template | undefined, input: string): boolean {
  const found = template?.inputs?.parameters?.find(({ name }) => name === input);
  return found?.default !== undefined || found?.value !== undefined || found?.valueFrom !== undefined;
}

/** Whether an input artifact of a called template is optional. */
function isOptionalInput(template: Template | undefined, artifact: string): boolean {
  return template?.inputs?.artifacts?.some(({ name, optional }) => name === artifact && optional === true) ?? false;
}

/** The artifact without its `subPath`, which has a meaning only with `from` and `fromExpression`. */
function withoutSubPath(artifact: Artifact): Artifact {
  if (artifact.subPath === undefined) return artifact;
  const { subPath: _, ...rest } = artifact;
  return recordDerived(rest, artifact);
}

/** Replaces artifacts with a `subPath` in an item of a loop by the parts that they refer to. */
function withArtifactParts<T extends Callable>(item: T): T {
  const args = item.arguments!;
  const artifacts = args.artifacts!.map((artifact) =>
    artifact.subPath === undefined ? artifact : markAsValues(artifactPart(withoutSubPath(artifact), artifact.subPath))
  );
  return recordDerived({
    ...item,
    arguments: recordDerived({ ...args, artifacts: recordDerived(artifacts, []) }, args),
  }, item);
}
