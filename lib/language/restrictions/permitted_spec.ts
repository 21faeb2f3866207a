/** The effective part of a workflow's own spec under `templateReferencing`. */
import type { Artifact, WorkflowSpec } from "@tiphys/model/api";
import { OVERRIDES, type Rule } from "./overrides.ts";
import { fieldsOf, isObject } from "@tiphys/base/fields_of";

type Fields = Readonly<Record<string, unknown>>;

/** The effective part of a spec, and the names of rejected fields, spelled and sorted as in Argo. */
export interface PermittedSpec {
  readonly spec: WorkflowSpec;
  readonly refused: readonly string[];
}

/** Filters a workflow's own spec. Top-level fields in `opened`, set by the administrator, are kept completely. */
export function permittedSpec(own: WorkflowSpec, opened: ReadonlySet<string> = NO_FIELDS): PermittedSpec {
  const refused = new Set<string>();
  const spec: Record<string, unknown> = {};
  for (const [field, value] of Object.entries(own)) {
    if (value === "") continue; // none, as it is for Go
    // `artifactGC` describes a pod with its own permissions: that of the template always applies.
    const rule = opened.has(field) && field !== "artifactGC" ? "allowed" : ruleOf(OVERRIDES, field);
    const kept = withoutRejected(value, rule, goName(field), refused);
    if (kept !== undefined) spec[field] = kept;
  }
  return { spec: spec as WorkflowSpec, refused: [...refused].sort(compareBytes) };
}

/** The stores that a location without credentials accesses with the pod's cloud identity. */
export const IDENTITY_STORES = ["gcs", "s3"] as const;

/**
 * Returns the fields of the workflow's own artifacts that select a location at which the pod would use its cloud
 * identity, named and sorted like `refused` of `permittedSpec()`. In stores that need no other credentials, a workflow
 * may select the file, but not its location.
 */
export function identityRefusals(
  own: WorkflowSpec,
  template: WorkflowSpec | undefined,
  opened: ReadonlySet<string> = NO_FIELDS,
): string[] {
  if (opened.has("arguments")) return [];
  const rules = ((OVERRIDES.arguments as Fields).artifacts) as Fields;
  const refused = new Set<string>();
  for (const artifact of own.arguments?.artifacts ?? []) {
    const base = template?.arguments?.artifacts?.find(({ name }) => name === artifact.name);
    for (const store of IDENTITY_STORES) {
      const location = (artifact as Fields)[store];
      if (!isObject(location)) continue;
      const before = fieldsOf((base as Fields | undefined)?.[store]);
      for (const field of changedLocationFields(location, before, fieldsOf(rules[store]))) {
        refused.add(`Arguments.Artifacts.${goName(store)}.${goName(field)}`);
      }
    }
  }
  return [...refused].sort(compareBytes);
}

/** Returns the fields of `location` that differ from `before` and select another location. */
function changedLocationFields(location: Fields, before: Fields, rules: Fields): string[] {
  return Object.entries(location).filter(([field, value]) =>
    rules[field] !== "allowed" && value !== "" && JSON.stringify(value) !== JSON.stringify(before[field])
  ).map(([field]) => field);
}

/**
 * Removes credentials from artifacts that the workflow stores in another location than the template: they were meant
 * for that one.
 */
export function withoutBorrowedCredentials(
  merged: WorkflowSpec,
  own: WorkflowSpec,
  template: WorkflowSpec | undefined,
): WorkflowSpec {
  const artifacts = merged.arguments?.artifacts;
  if (!artifacts || !own.arguments?.artifacts?.length) return merged;
  const named = (spec: WorkflowSpec | undefined, name: string) =>
    spec?.arguments?.artifacts?.find((artifact) => artifact.name === name);
  const safe = artifacts.map((artifact) => {
    const given = named(own, artifact.name);
    const base = named(template, artifact.name);
    return given && base ? withoutBorrowedFields(artifact, given, base) : artifact;
  });
  return { ...merged, arguments: { ...merged.arguments, artifacts: safe } };
}

function withoutBorrowedFields(merged: Artifact, call: Artifact, base: Artifact): Artifact {
  const rules = ((OVERRIDES.arguments as Fields).artifacts) as Fields;
  const changed: Record<string, unknown> = {};
  for (const [store, location] of Object.entries(call as Fields)) {
    const fields = rules[store];
    if (!isObject(location) || !isObject(fields) || store === "artifactGC") continue;
    const before = ((base as Fields)[store] ?? {}) as Fields;
    if (changedLocationFields(location, before, fields).length === 0) continue;
    const kept = Object.entries((merged as Fields)[store] as Fields).filter(([field]) =>
      fields[field] !== "refused" && fields[field] !== undefined
    );
    changed[store] = Object.fromEntries(kept);
  }
  return { ...merged, ...changed };
}

/** Returns the value without rejected fields; undefined if no set field remains. */
function withoutRejected(value: unknown, rule: Rule | undefined, name: string, refused: Set<string>): unknown {
  if (value === undefined || value === null) return undefined;
  if (rule === "allowed" || rule === "place") return value;
  if (rule === undefined || rule === "refused") {
    if (value !== "") refused.add(name);
    return undefined;
  }
  if (Array.isArray(value)) return value.map((element) => withoutRejected(element, rule, name, refused) ?? {});
  if (!isObject(value)) return value;
  const isMap = name === LABELS_FROM;
  const kept: Record<string, unknown> = {};
  for (const [field, entry] of Object.entries(value)) {
    const sifted = isMap
      ? withoutRejected(entry, rule, name, refused)
      : withoutRejected(entry, ruleOf(rule, field), `${name}.${goName(field)}`, refused);
    if (sifted !== undefined) kept[field] = sifted;
  }
  return kept;
}

/** The field whose keys are chosen by users and are not schema fields. */
const LABELS_FROM = "WorkflowMetadata.LabelsFrom";

function ruleOf(rules: { readonly [field: string]: Rule }, field: string): Rule | undefined {
  return Object.hasOwn(rules, field) ? rules[field] : undefined;
}

const GO_INITIALISMS = /^(dns|ttl|s3|gcs|oss|hdfs|http)(?=$|[A-Z])/;

/** Returns the name of a JSON field in Argo's Go types. */
function goName(field: string): string {
  return field.replace(GO_INITIALISMS, (initials) => initials.toUpperCase()).replace(
    /^[a-z]/,
    (first) => first.toUpperCase(),
  );
}

function compareBytes(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

const NO_FIELDS: ReadonlySet<string> = new Set();
