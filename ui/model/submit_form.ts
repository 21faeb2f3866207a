/** The form by which a run is submitted: its fields, from what a template declares, and what is sent. Pure. */
import type { Parameter, WorkflowSpec } from "@tiphys/model/api";
import { type Query, withValues } from "./place.ts";

/** One field. */
export interface Field {
  readonly name: string;
  readonly description: string;
  /** The value that the template has without anybody's help; undefined where one must be given. */
  readonly usual: string | undefined;
  /** The values of which one is chosen. */
  readonly choices: readonly string[] | undefined;
  /** Whether the usual value is sent, too: an argument that has a default and no value is refused without one. */
  readonly isSent?: boolean;
}

/** The entrypoints that may be chosen, the usual one first. */
export function entrypointsOf({ entrypoint, templates = [] }: WorkflowSpec): string[] {
  const names = templates.flatMap(({ name }) => name ? [name] : []);
  return entrypoint ? [entrypoint, ...names.filter((name) => name !== entrypoint)] : names;
}

/** The fields: the run's own arguments, and inputs of the entrypoint that they leave out. */
export function fieldsOf({ arguments: own, templates = [] }: WorkflowSpec, entrypoint: string): Field[] {
  const fields = new Map<string, Field>();
  const inputs = templates.find(({ name }) => name === entrypoint)?.inputs?.parameters ?? [];
  for (const parameter of own?.parameters ?? []) {
    const isSent = parameter.value === undefined && parameter.valueFrom === undefined;
    fields.set(parameter.name, { ...fieldOf(parameter), ...(isSent ? { isSent } : {}) });
  }
  for (const parameter of inputs) {
    const { name } = parameter;
    const before = fields.get(name);
    fields.set(name, before ? merged(before, fieldOf(parameter)) : fieldOf(parameter));
  }
  return [...fields.values()];
}

function fieldOf({ name, value, default: usual, description, enum: choices }: Parameter): Field {
  const given = value ?? usual;
  return {
    name,
    description: description === undefined ? "" : String(description),
    // A tag is filled in by whoever calls the template, not by a person.
    usual: given === undefined || String(given).includes("{{") ? undefined : String(given),
    choices: choices?.map(String),
  };
}

function merged(first: Field, second: Field): Field {
  return {
    ...first,
    description: first.description || second.description,
    usual: first.usual ?? second.usual,
    choices: first.choices ?? second.choices,
  };
}

/** An artifact that a template takes as an argument. */
export interface ArtifactField {
  readonly name: string;
  /** Whether a run goes without a file of one's own: it is optional, or the template says where it lies. */
  readonly isOptional: boolean;
}

/** The fields of an artifact that say nothing of the place where it lies. */
const NOT_ITS_PLACE: ReadonlySet<string> = new Set(["name", "optional", "path", "mode", "archive", "artifactGC"]);

/** The artifacts for which files can be uploaded: the arguments of the template. */
export function artifactFieldsOf({ arguments: own }: WorkflowSpec): ArtifactField[] {
  return (own?.artifacts ?? []).map((artifact) => ({
    name: artifact.name,
    isOptional: artifact.optional === true || Object.keys(artifact).some((field) => !NOT_ITS_PLACE.has(field)),
  }));
}

/** A file that was chosen for an artifact: on its way, there under a key, or refused. */
export type UploadState =
  | { readonly kind: "sending"; readonly file: string }
  | { readonly kind: "there"; readonly file: string; readonly key: string }
  | { readonly kind: "refused"; readonly file: string; readonly words: string };

/** The artifacts that need a file of which none is there. */
export function missingFiles(
  artifacts: readonly ArtifactField[],
  uploads: ReadonlyMap<string, UploadState>,
): string[] {
  return artifacts.filter(({ name, isOptional }) => !isOptional && uploads.get(name)?.kind !== "there")
    .map(({ name }) => name);
}

/** Whether every file that was chosen is there: a run is not submitted without one that somebody meant to give. */
export function areAllThere(uploads: ReadonlyMap<string, UploadState>): boolean {
  return [...uploads.values()].every(({ kind }) => kind === "there");
}

/** The values that an address brings: `parameters[name]=value`. */
export function valuesInQuery(query: Query): ReadonlyMap<string, string> {
  return new Map(query.flatMap(([name, value]) => {
    const [, parameter] = /^parameters\[(.+)\]$/.exec(name) ?? [];
    return parameter === undefined ? [] : [[parameter, value] as const];
  }));
}

/** The address with these values, so that it can be handed on. */
export function queryWithValues(query: Query, values: ReadonlyMap<string, string>): Query {
  const rest = query.filter(([name]) => !name.startsWith("parameters["));
  return withValues(rest, Object.fromEntries([...values].map(([name, value]) => [`parameters[${name}]`, value])));
}

/** The parameters that are sent: those that differ from what the template has anyway. */
export function parametersToSend(fields: readonly Field[], values: ReadonlyMap<string, string>): string[] {
  return fields.flatMap(({ name, usual, isSent }) => {
    const value = values.get(name) ?? usual;
    return value === undefined || value === usual && !isSent ? [] : [`${name}=${value}`];
  });
}

/** The fields that need a value and have none. */
export function missingFields(fields: readonly Field[], values: ReadonlyMap<string, string>): string[] {
  return fields.filter(({ name, usual }) => usual === undefined && (values.get(name) ?? "") === "").map(({ name }) =>
    name
  );
}
