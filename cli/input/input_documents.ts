/** The manifests of a command line, as documents that know where they came from. */
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
import { plain } from "../view/plain.ts";
import type { World } from "../world.ts";
import { boundedText } from "./bounded_text.ts";
import { isObject } from "@tiphys/base/fields_of";
import { didYouMean } from "@tiphys/base/nearest_name";

/** One document of a file. */
export interface InputDocument {
  readonly file: string;
  /** Its text and positions. */
  readonly source: YamlDocument;
  /** The document's value; options of the command line may have changed it since it was read. */
  readonly value: unknown;
}

/**
 * The texts whose field names count whatever the case of their letters, as Go reads JSON: Argo's commands are strict about the
 * names of YAML only, its lint about all.
 */
export type LooseNames = "none" | "json" | "all";

/**
 * Reads the documents of files; `-` is the standard input, a URL is fetched. Documents that cannot be parsed come along
 * with their errors.
 * @throws {CommandError} when a file cannot be read.
 */
export async function readDocuments(
  names: readonly string[],
  world: World,
  looseNames: LooseNames = "json",
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
 * Reads one text.
 * @throws {CommandError} with the reason when that fails.
 */
export async function readText(name: string, world: World): Promise<string> {
  try {
    if (name === "-") return await world.stdin();
    if (!/^https?:\/\//.test(name)) return await world.readFile(name);
    const response = await fetch(name);
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    return response.body === null ? "" : await boundedText(response.body);
  } catch (error) {
    const reason = error instanceof Deno.errors.NotFound
      ? "there is no such file"
      : error instanceof Deno.errors.IsADirectory
      ? "it is a folder; lint reads folders"
      : error instanceof Error
      ? error.message
      : String(error);
    throw badInput(`Could not read ${name}: ${reason}`);
  }
}

/** The document as an object; undefined when it is no object. */
export function objectOf({ value }: InputDocument): KubeObject | undefined {
  return isObject(value) && isObject(value.metadata) ? { ...value, metadata: value.metadata } : undefined;
}

/**
 * The document as a workflow.
 * @throws {CommandError} for one that is none.
 */
export function workflowOf(document: InputDocument): Workflow {
  // What is read is changed on the way.
  const read = storedWorkflow.read(structuredClone(document.value));
  if (isProblem(read)) throw badInput(`${document.file}: ${read.message}`);
  return read;
}

/** Whether the object is of one of our kinds. */
export function isOurs(object: KubeObject | undefined, kind?: string): boolean {
  return object?.apiVersion === API_VERSION && (kind === undefined || object.kind === kind);
}

/** Why a document is no object of a kind, in words that name what is written otherwise. */
function otherThan(kind: string, value: unknown): string {
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

/** The documents that hold objects of a kind; each other that holds something is named on the standard error. */
export function ofKind(documents: readonly InputDocument[], kind: string, world: World): InputDocument[] {
  const meant = (document: InputDocument) => isOurs(objectOf(document), kind);
  for (const document of documents) {
    if (meant(document) || document.source.errors.length > 0 || (document.value ?? undefined) === undefined) continue;
    world.err(`${document.file}: ${plain(otherThan(kind, document.value))}. Ignoring...\n`);
  }
  return documents.filter(meant);
}
