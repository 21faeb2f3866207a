/** The form that submits a run: its fields from the declarations of a template, and the request. Pure. */
import type { Parameter, WorkflowSpec } from "@tiphys/model/api";
import { type Query, withValues } from "./place.ts";

/** One field. */
export interface Field {
  readonly name: string;
  readonly description: string;
  /** The default of the template; undefined if a value is required. */
  readonly usual: string | undefined;
  /** The allowed values. */
  readonly choices: readonly string[] | undefined;
  /** Whether the default is sent as well: an argument with a default but no value would be refused otherwise. */
  readonly isSent?: boolean;
}

/** Returns the entrypoints to choose from, the default first. */
export function entrypointsOf({ entrypoint, templates = [] }: WorkflowSpec): string[] {
  const names = templates.flatMap(({ name }) => name ? [name] : []);
  return entrypoint ? [entrypoint, ...names.filter((name) => name !== entrypoint)] : names;
}

/** Returns the fields: the arguments of the workflow, and further inputs of the entrypoint. */
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
    fields.set(name, before ? mergeFields(before, fieldOf(parameter)) : fieldOf(parameter));
  }
  return [...fields.values()];
}

function fieldOf({ name, value, default: defaultValue, description, enum: choices }: Parameter): Field {
  const given = value ?? defaultValue;
  return {
    name,
    description: description === undefined ? "" : String(description),
    // A tag is filled in by the caller of the template, not by a person.
    usual: given === undefined || String(given).includes("{{") ? undefined : String(given),
    choices: choices?.map(String),
  };
}

function mergeFields(first: Field, second: Field): Field {
  return {
    ...first,
    description: first.description || second.description,
    usual: first.usual ?? second.usual,
    choices: first.choices ?? second.choices,
  };
}

/** An artifact argument of a template. */
export interface ArtifactField {
  readonly name: string;
  /** Whether a run needs no uploaded file: the artifact is optional, or the template sets its location. */
  readonly isOptional: boolean;
}

/** Fields of an artifact that do not set its location. */
const NOT_ITS_PLACE: ReadonlySet<string> = new Set(["name", "optional", "path", "mode", "archive", "artifactGC"]);

/** Returns the artifact arguments for which files can be uploaded. */
export function artifactFieldsOf({ arguments: own }: WorkflowSpec): ArtifactField[] {
  return (own?.artifacts ?? []).map((artifact) => ({
    name: artifact.name,
    isOptional: artifact.optional === true || Object.keys(artifact).some((field) => !NOT_ITS_PLACE.has(field)),
  }));
}

/** A file chosen for an artifact: being uploaded, stored under a key, or refused. */
export type UploadState =
  | { readonly kind: "sending"; readonly file: string }
  | { readonly kind: "there"; readonly file: string; readonly key: string }
  | { readonly kind: "refused"; readonly file: string; readonly words: string };

/** Returns the artifacts that still need a file. */
export function missingFiles(
  artifacts: readonly ArtifactField[],
  uploads: ReadonlyMap<string, UploadState>,
): string[] {
  return artifacts.filter(({ name, isOptional }) => !isOptional && uploads.get(name)?.kind !== "there")
    .map(({ name }) => name);
}

/** Reports whether every chosen file is uploaded. A run is not submitted without a file that the user chose. */
export function areAllUploaded(uploads: ReadonlyMap<string, UploadState>): boolean {
  return [...uploads.values()].every(({ kind }) => kind === "there");
}

/** Reads parameter values from an address: `parameters[name]=value`. */
export function valuesInQuery(query: Query): ReadonlyMap<string, string> {
  return new Map(query.flatMap(([name, value]) => {
    const [, parameter] = /^parameters\[(.+)\]$/.exec(name) ?? [];
    return parameter === undefined ? [] : [[parameter, value] as const];
  }));
}

/** Returns the query with these values, so that the address can be shared. */
export function queryWithValues(query: Query, values: ReadonlyMap<string, string>): Query {
  const rest = query.filter(([name]) => !name.startsWith("parameters["));
  return withValues(rest, Object.fromEntries([...values].map(([name, value]) => [`parameters[${name}]`, value])));
}

/** Returns the parameters to send: those that differ from the template's defaults. */
export function parametersToSend(fields: readonly Field[], values: ReadonlyMap<string, string>): string[] {
  return fields.flatMap(({ name, usual, isSent }) => {
    const value = values.get(name) ?? usual;
    return value === undefined || value === usual && !isSent ? [] : [`${name}=${value}`];
  });
}

/** Returns the fields that need a value and do not have one. */
export function missingFields(fields: readonly Field[], values: ReadonlyMap<string, string>): string[] {
  return fields.filter(({ name, usual }) => usual === undefined && (values.get(name) ?? "") === "").map(({ name }) =>
    name
  );
}
