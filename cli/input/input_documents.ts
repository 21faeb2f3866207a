/** Parses the manifests passed on the command line into documents with source positions. */
import { parseJson } from "@tiphys/base/bounded_json";
import {
  API_VERSION,
  isKindName,
  isProblem,
  KINDS,
  storedWorkflow,
  withSchemaNames,
  type Workflow,
} from "@tiphys/model/api";
import type { KubeObject } from "@tiphys/kube";
import { parseYaml, type YamlDocument } from "@tiphys/model/yaml";
import { badInput } from "../command_error.ts";
import { escapeControls } from "../view/plain.ts";
import type { World } from "../world.ts";
import { boundedText } from "./bounded_text.ts";
import { isObject } from "@tiphys/base/fields_of";
import { didYouMean } from "@tiphys/base/nearest_name";

/** One document of a file. */
export interface InputDocument {
  readonly file: string;
  /** The text and its positions. */
  readonly source: YamlDocument;
  /** The document's value; options of the command line may have changed it since it was read. */
  readonly value: unknown;
}

/**
 * Selects the texts in which the case of field names is ignored, as Go does for JSON. Argo's commands are strict about
 * the names in YAML only; its lint is strict about all.
 */
export type CaseInsensitiveNames = "none" | "json" | "all";

/**
 * Reads the documents of files. `-` is the standard input, and a URL is fetched. A document that cannot be parsed is
 * returned with its errors.
 * @throws {CommandError} if a file cannot be read.
 */
export async function readDocuments(
  names: readonly string[],
  world: World,
  looseNames: CaseInsensitiveNames = "json",
): Promise<InputDocument[]> {
  const texts = await Promise.all(names.map(async (name) => ({ name, text: await readText(name, world) })));
  return texts.flatMap(({ name, text }) => {
    const isLoose = looseNames === "all" || looseNames === "json" && isJson(text);
    return parseYaml(text).map((source) => ({
      file: name,
      source,
      value: isLoose ? withSchemaNames(source.value) : source.value,
    }));
  });
}

function isJson(text: string): boolean {
  if (!/^\s*\{/.test(text)) return false;
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Reads the text of a file, of the standard input (`-`), or of a URL.
 * @throws {CommandError} with the reason if that fails.
 */
export async function readText(name: string, world: World): Promise<string> {
  try {
    if (name === "-") return await world.stdin();
    if (!/^https?:\/\//.test(name)) return await world.readFile(name);
    const response = await fetch(name);
    if (!response.ok) throw new Error(`the server responded with status ${response.status}`);
    return response.body === null ? "" : await boundedText(response.body);
  } catch (error) {
    const reason = error instanceof Deno.errors.NotFound
      ? "file not found"
      : error instanceof Deno.errors.IsADirectory
      ? `it is a folder; name its files, such as ${name.replace(/\/$/, "")}/*.yaml`
      : error instanceof Error
      ? error.message
      : String(error);
    throw badInput(`Could not read ${name}: ${reason}`);
  }
}

/** Returns the names of files for a message; of more than three, their number. */
export function filesText(names: readonly string[]): string {
  return names.length > 3
    ? `the ${names.length} files`
    : names.map((name) => name === "-" ? "the standard input" : name).join(", ");
}

/** Returns the object of a document; undefined if it has no metadata or is not a map. */
export function objectOf({ value }: InputDocument): KubeObject | undefined {
  return isObject(value) && isObject(value.metadata) ? { ...value, metadata: value.metadata } : undefined;
}

/**
 * Returns the workflow of a document.
 * @throws {CommandError} if it is not a valid workflow.
 */
export function workflowOf(document: InputDocument): Workflow {
  // Reading modifies its input.
  const read = storedWorkflow.read(structuredClone(document.value));
  if (isProblem(read)) throw badInput(`${document.file}: ${read.message}`);
  return read;
}

/** Whether an object is of an Argo kind, or of the given one. */
export function isOfArgo(object: KubeObject | undefined, kind?: string): boolean {
  return object?.apiVersion === API_VERSION && (kind === undefined || object.kind === kind);
}

/** Returns a message that explains why a document is not an object of a kind. */
function notOfKindMessage(kind: string, value: unknown): string {
  if (!isObject(value)) return `a document is not of kind ${kind}: it is ${Array.isArray(value) ? "a list" : "a text"}`;
  const metadata = isObject(value.metadata) ? value.metadata : {};
  const words = [value.kind, metadata.name ?? metadata.generateName].filter((word) => typeof word === "string");
  const what = words.join(" ") || "a document";
  if (value.kind !== kind) {
    const near = typeof value.kind === "string" && !isKindName(value.kind)
      ? didYouMean(value.kind, Object.keys(KINDS))
      : "";
    return `${what} is not of kind ${kind}${value.kind === undefined ? ": it has no kind" : near}`;
  }
  if (value.apiVersion !== API_VERSION) {
    const found = value.apiVersion === undefined ? "no apiVersion" : `apiVersion ${String(value.apiVersion)}`;
    return `${what} has ${found}: expected ${API_VERSION}`;
  }
  return `${what} has no metadata: expected a name or generateName in it`;
}

/** Returns the documents of a kind. Other documents that are not empty are reported on the standard error. */
export function documentsOfKind(documents: readonly InputDocument[], kind: string, world: World): InputDocument[] {
  const meant = (document: InputDocument) => isOfArgo(objectOf(document), kind);
  for (const document of documents) {
    if (meant(document) || document.source.errors.length > 0 || (document.value ?? undefined) === undefined) continue;
    world.err(`${document.file}: ${escapeControls(notOfKindMessage(kind, document.value))}. Ignoring...\n`);
  }
  return documents.filter(meant);
}
