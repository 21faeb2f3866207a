/**
 * From a step or task as written to the calls it makes: `when` first, then its references to what ran before, then one
 * copy for each item of its loop (spec of the template language, section 6 point 5).
 */
import type { Artifact, DAGTask, WorkflowStep } from "../../lib/api/mod.ts";
import {
  evaluateWhen,
  expandLoop,
  markAbsentArguments,
  replaceTags,
  TemplateError,
  type Values,
} from "../../lib/template/mod.ts";
import { resolveArtifact } from "./artifacts.ts";
import type { Pass } from "./pass.ts";
import type { Scope } from "./scope.ts";

/** What steps and tasks have in common here. */
export type Callable = WorkflowStep | DAGTask;

/** The holder with its references filled in, or what it still waits for. */
export type Resolved<T> =
  | { readonly kind: "ready"; readonly holder: T }
  | { readonly kind: "missing"; readonly message: string };

/** Loops written out, by the node ID of their group or task, with what they were made from. */
const writtenLoops = () => new Map<string, { readonly holder: Callable; readonly items: readonly unknown[] }>();

const STRICT = { kind: "strict", prefixes: ["steps", "tasks"] } as const;

/** Whether a step or task has a loop. */
export function shouldExpand(holder: Callable): boolean {
  return Boolean(holder.withItems?.length || holder.withParam || holder.withSequence);
}

/** An empty `when` is true. */
export function mayExecute(when: string | undefined): boolean {
  return !when || evaluateWhen(when);
}

/**
 * One copy of the holder for each item, named `name(index:item)`. A loop whose text is what it was in an earlier pass is
 * not written out again. `id` is the ID that a node of the holder's own name has.
 */
export function expand<T extends Callable>(pass: Pass, id: string, holder: T, values: Values): readonly T[] {
  const known = pass.memory.part(writtenLoops).get(id);
  if (known && hasSameText(known.holder, holder)) return known.items as readonly T[];
  const items = expandLoop(holder, values) as T[];
  // Other tags than those of the item may have other values in the next pass.
  if (OTHER_TAG.test(JSON.stringify(holder))) pass.memory.part(writtenLoops).delete(id);
  else pass.memory.part(writtenLoops).set(id, { holder, items });
  return items;
}

/** What no tag was filled in to is shared between two passes; only the rest is compared as text. */
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
 * Fills in references to earlier steps or tasks. Hooks stay as they are: they speak of the step's own outputs.
 * @throws {Error} when a reference can never be filled in.
 */
export function resolveReferences<T extends Callable>(
  holder: T,
  scope: Scope,
  values: Values,
): Resolved<T> {
  try {
    return { kind: "ready", holder: resolve(holder, scope, values) };
  } catch (error) {
    if (error instanceof TemplateError && error.missingVariable) return { kind: "missing", message: error.message };
    throw error;
  }
}

function resolve<T extends Callable>(holder: T, scope: Scope, values: Values): T {
  const { hooks, ...body } = holder;
  const keep = <H>(fields: H) => ({ ...fields, ...(hooks ? { hooks } : {}) }) as unknown as T;
  if (holder.when) {
    const when = replaceTags(holder.when, values, STRICT);
    try {
      if (!mayExecute(when)) return keep({ ...body, when });
    } catch (error) {
      // It may speak of `{{item}}`, which is there only after the expansion.
      if (!shouldExpand(holder)) throw error;
    }
  }
  const marked = { ...body, arguments: markAbsentArguments(holder.arguments, values) };
  const resolved = replaceTags(marked, values, STRICT);
  const artifacts = resolved.arguments?.artifacts;
  if (!artifacts) return keep(resolved);
  return keep({
    ...resolved,
    arguments: { ...resolved.arguments, artifacts: resolveArtifacts(artifacts, scope) },
  });
}

/** Artifacts that come `from` another; an optional one whose source is not there is left out. */
export function resolveArtifacts(artifacts: readonly Artifact[], scope: Scope): Artifact[] {
  return artifacts.flatMap((artifact) => {
    if (!artifact.from && !artifact.fromExpression) return [artifact];
    try {
      const source = resolveArtifact(artifact, scope);
      return source ? [{ ...source, name: artifact.name }] : [];
    } catch (error) {
      if (artifact.optional) return [];
      throw error;
    }
  });
}
