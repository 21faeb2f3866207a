/**
 * Parsing of a pod's template. Fields that the executor uses are checked; the fields of artifact stores are passed
 * through.
 */
import { type Check, flag, listOf, number, objectOf, stringMap, text } from "@tiphys/model/api/checks";
import type { PodTemplateType } from "@tiphys/model/templates";
import { ExecutorError } from "../failure.ts";

/** An output parameter whose value comes from a file or from an object of the cluster. */
export interface OutputParameter {
  readonly name: string;
  readonly globalName?: string;
  readonly value?: string;
  readonly valueFrom?: {
    readonly path?: string;
    readonly jsonPath?: string;
    readonly jqFilter?: string;
    readonly default?: string;
  };
}

/** An artifact of a template. The fields of its store are passed through. */
export interface TemplateArtifact {
  readonly name: string;
  readonly path?: string;
  readonly optional?: boolean;
  readonly mode?: number;
  readonly recurseMode?: boolean;
  /** The archive format: an object with one of these fields. */
  readonly archive?: {
    readonly none?: unknown;
    readonly tar?: { readonly compressionLevel?: number };
    readonly zip?: unknown;
  };
  readonly raw?: { readonly data: string };
  readonly plugin?: { readonly name?: string; readonly key?: string };
  readonly [field: string]: unknown;
}

/** The fields of a container or script that the executor uses. */
interface Runnable {
  readonly source?: string;
  readonly volumeMounts?: readonly Mount[];
}

/** The work of a resource template. Its action is an argument of the command. */
interface ResourceWork {
  readonly manifest?: string;
  readonly manifestFrom?: { readonly artifact: TemplateArtifact };
  readonly mergeStrategy?: string;
  readonly setOwnerReference?: boolean;
  readonly successCondition?: string;
  readonly failureCondition?: string;
  readonly flags?: readonly string[];
}

/** The work of a data template: the artifact whose paths it lists, and the transformation of the list. */
interface DataWork {
  readonly source: { readonly artifactPaths?: TemplateArtifact };
  readonly transformation?: readonly { readonly expression: string }[];
}

/** The template inside the pod. */
export interface PodTemplate {
  readonly name?: string;
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
  readonly inputs?: { readonly artifacts?: readonly TemplateArtifact[] };
  readonly outputs?: {
    readonly parameters?: readonly OutputParameter[];
    readonly artifacts?: readonly TemplateArtifact[];
  };
  readonly container?: Runnable;
  readonly script?: Runnable;
  readonly resource?: ResourceWork;
  readonly data?: DataWork;
  readonly containerSet?: {
    readonly containers: readonly (Runnable & { readonly name: string; readonly dependencies?: readonly string[] })[];
    readonly retryStrategy?: { readonly retries?: number | string; readonly duration?: string };
    readonly volumeMounts?: Runnable["volumeMounts"];
  };
  readonly archiveLocation?: {
    readonly archiveLogs?: boolean;
    readonly plugin?: { readonly name?: string };
    readonly [field: string]: unknown;
  };
}

/** A mount of the user's volume. */
export interface Mount {
  readonly name: string;
  readonly mountPath: string;
  readonly readOnly?: boolean;
}

/**
 * Parses the JSON text of a template.
 * @throws {ExecutorError} with the place when the text is not a valid template.
 */
export function parseTemplateJson(json: string): PodTemplate {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new ExecutorError(`The template of the pod is not valid JSON: ${removeExcerpt(error.message, json)}`);
  }
  const problem = TEMPLATE(value);
  if (problem === undefined) return value as PodTemplate;
  throw new ExecutorError(`The template of the pod is invalid: ${problem.replace(/^[.:] ?/, "")}`);
}

/**
 * Returns the message of JSON.parse with its position, without the excerpt that it may quote, which can contain a
 * secret.
 */
function removeExcerpt(message: string, text: string): string {
  const [words] = /^[^"]* at position \d+/.exec(message) ?? /^Unexpected end of JSON input$/.exec(message) ?? [];
  return words ?? `Unexpected token at position ${positionOfToken(text)}`;
}

/**
 * Finds the position of the first invalid token by binary search: exactly the prefixes that contain it fail with it.
 */
function positionOfToken(text: string): number {
  let [without, with_] = [0, text.length];
  while (with_ - without > 1) {
    const middle = (without + with_) >> 1;
    if (reportsToken(text.slice(0, middle))) with_ = middle;
    else without = middle;
  }
  return without;
}

function reportsToken(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    return error instanceof SyntaxError && /^Unexpected token/.test(error.message);
  }
}

const ANY: Check = () => undefined;
const PLUGIN = objectOf({ name: text, key: text });
const MOUNTS = listOf(objectOf({ name: text, mountPath: text, readOnly: flag }, "name", "mountPath"));
const ARTIFACT_FIELDS = {
  name: text,
  path: text,
  optional: flag,
  mode: number,
  recurseMode: flag,
  archive: objectOf({ tar: objectOf({ compressionLevel: number }) }),
  raw: objectOf({ data: text }, "data"),
  plugin: PLUGIN,
};
/** An artifact without a name: the source of a data template's list or of a manifest. */
const LOCATION = objectOf(ARTIFACT_FIELDS);
const ARTIFACTS = listOf(objectOf(ARTIFACT_FIELDS, "name"));
const RUNNABLE = { source: text, volumeMounts: MOUNTS };

const TYPES: Readonly<Record<PodTemplateType, Check>> = {
  container: objectOf(RUNNABLE),
  script: objectOf(RUNNABLE),
  resource: objectOf({
    manifest: text,
    manifestFrom: objectOf({ artifact: LOCATION }, "artifact"),
    mergeStrategy: text,
    setOwnerReference: flag,
    successCondition: text,
    failureCondition: text,
    flags: listOf(text),
  }),
  data: objectOf({
    source: objectOf({ artifactPaths: LOCATION }),
    transformation: listOf(objectOf({ expression: text }, "expression")),
  }, "source"),
  containerSet: objectOf({
    containers: listOf(objectOf({ ...RUNNABLE, name: text, dependencies: listOf(text) }, "name")),
    retryStrategy: objectOf({ retries: ANY, duration: text }),
    volumeMounts: MOUNTS,
  }, "containers"),
};

const TEMPLATE = objectOf({
  ...TYPES,
  name: text,
  metadata: objectOf({ annotations: stringMap }),
  inputs: objectOf({ artifacts: ARTIFACTS }),
  outputs: objectOf({
    parameters: listOf(objectOf({
      name: text,
      globalName: text,
      value: text,
      valueFrom: objectOf({ path: text, jsonPath: text, jqFilter: text, default: text }),
    }, "name")),
    artifacts: ARTIFACTS,
  }),
  archiveLocation: objectOf({ archiveLogs: flag, plugin: PLUGIN }),
});
