/** Parses the options and the body of a write. */

import { parseJson } from "@tiphys/base/bounded_json";
import type { KubeObject } from "@tiphys/kube";
import { LIMITS } from "@tiphys/base/limits";
import { jsonBody, type TextWorker, TextWorkerError, yamlValue } from "@tiphys/language/text_worker";
import { OURSELVES } from "../access/caller.ts";
import { bodyBytes } from "../body.ts";
import { LARGE_WRITE_CHARACTERS, MAX_OBJECT_CHARACTERS, MAX_YAML_BYTES } from "../limits.ts";
import { parseStrictness, type Strictness } from "../rules/field_validation.ts";
import { decodeProtobuf } from "../protobuf.ts";
import type { LargeWrite } from "./large_writes.ts";
import { throwParseError } from "./parse_error.ts";
import { badRequest, StatusError } from "../status_error.ts";
import type { StoredObject } from "../store.ts";

/** The options of a write, from its query and headers. */
export interface WriteFlags {
  readonly dryRun: boolean;
  readonly strictness: Strictness;
  /** The manager that will own the written fields. */
  readonly manager: string;
  /** Whether an apply takes over fields from their owners. */
  readonly force: boolean;
  /** @throws if the caller may not make the change; `before` is undefined for a new object. */
  readonly check?: ((before: KubeObject | undefined, next: KubeObject) => void) | undefined;
  /** The size of the request's body in bytes. */
  readonly bodyBytes?: number;
  /** Writes the object if it is large. Without it, objects of any size are written in one stage. */
  readonly large?: LargeWrite;
}

/** Returns the stages of a write; undefined if the body and the stored object are small. */
export function largeWrite({ large, bodyBytes = 0 }: WriteFlags, stored?: StoredObject): LargeWrite | undefined {
  return Math.max(bodyBytes, stored?.text.length ?? 0) > LARGE_WRITE_CHARACTERS ? large : undefined;
}

/** The object after a write, and warnings for the client. */
export interface WriteResult {
  readonly text: string;
  readonly created: boolean;
  readonly warnings: readonly string[];
}

export function parseWriteFlags(request: Request, check?: WriteFlags["check"]): WriteFlags {
  const { searchParams: query } = new URL(request.url);
  const program = (request.headers.get("user-agent") ?? "").split("/")[0]!;
  return {
    dryRun: isDryRun(query.getAll("dryRun")),
    strictness: parseStrictness(query.get("fieldValidation")),
    manager: query.get("fieldManager") || program || "unknown",
    force: query.get("force") === "true",
    check,
  };
}

/**
 * Reports whether a request is a dry run.
 * @throws {StatusError} for a value other than "All".
 */
export function isDryRun(values: readonly string[]): boolean {
  if (values.some((value) => value !== "All" && value !== "")) {
    throw badRequest(`dryRun: Unsupported value: "${values.join(",")}": supported values: "All"`);
  }
  return values.includes("All");
}

/** The parser of large texts, and the caller: tasks of different callers take turns. */
export interface BodyReader {
  readonly texts: TextWorker;
  readonly caller: { readonly user: string };
}

/** Parses a body as JSON, YAML or protobuf, by its content type. An empty body is undefined. */
export async function readBody(request: Request, reader: BodyReader): Promise<unknown> {
  return await parseBody(request, await bodyBytes(request), reader);
}

/** Parses a body like {@link readBody}, and returns its size in bytes as well. */
export async function readSizedBody(
  request: Request,
  reader: BodyReader,
): Promise<{ readonly body: unknown; readonly bodyBytes: number }> {
  const bytes = await bodyBytes(request);
  return { body: await parseBody(request, bytes, reader), bodyBytes: bytes.length };
}

async function parseBody(request: Request, bytes: Uint8Array, reader: BodyReader): Promise<unknown> {
  if (bytes.length === 0) return undefined;
  const type = request.headers.get("content-type") ?? "application/json";
  try {
    if (type.includes("protobuf")) return decodeProtobuf(bytes) ?? unsupportedBody();
    const text = new TextDecoder().decode(bytes);
    // Our own client sends apply patches as JSON, which is valid YAML, and parsed much faster as JSON.
    if (type.includes("yaml") && !text.startsWith("{")) {
      if (bytes.length > MAX_YAML_BYTES) throw tooLarge(`Request entity too large: limit of YAML is ${MAX_YAML_BYTES}`);
      return await readYaml(text, reader);
    }
    const value = await readJson(text, reader);
    // An object that is too large to be stored is refused before its many fields are checked; whitespace does not
    // count. With few fields the check is cheap, and the errors of its kind are reported first, as in Kubernetes.
    const isLarge = bytes.length > MAX_OBJECT_CHARACTERS && hasManyFields(text);
    if (isLarge && JSON.stringify(value).length > MAX_OBJECT_CHARACTERS) {
      throw tooLarge(OBJECT_TOO_LARGE);
    }
    return value;
  } catch (error) {
    if (error instanceof StatusError) throw error;
    throw unreadableBody(error instanceof Error ? error.message : String(error));
  }
}

/** The error of a body that cannot be parsed. */
export function unreadableBody(problem: string): StatusError {
  return badRequest(`couldn't get version/kind; parse error: ${problem}`);
}

/** From how many fields and items on the check of an object is expensive. */
const MANY_FIELDS = 20_000;

function hasManyFields(text: string): boolean {
  let count = 0;
  for (let index = text.indexOf(","); index >= 0 && count <= MANY_FIELDS; index = text.indexOf(",", index + 1)) count++;
  return count > MANY_FIELDS;
}

/** The message of etcd, which clients match. */
export const OBJECT_TOO_LARGE = "etcdserver: request is too large";

export function tooLarge(message: string): StatusError {
  return new StatusError(413, "RequestEntityTooLarge", message);
}

/** Parses JSON; a large text in a separate thread, and one of this program only above the size of large writes. */
async function readJson(text: string, { texts, caller }: BodyReader): Promise<unknown> {
  const isOurs = caller.user === OURSELVES.user;
  const readHere = () => parseJson(text, { values: LIMITS.jsonValues });
  if (isOurs && text.length <= LARGE_WRITE_CHARACTERS) return readHere();
  const options = { key: caller.user, runHere: jsonBody, characters: text.length };
  const read = await texts.run("jsonBody", { text, depth: LIMITS.depth }, options).catch((error: unknown) => {
    // Requests of this program are not refused because it sends many.
    if (isOurs && error instanceof TextWorkerError && error.kind === "busy") return { value: readHere() };
    return throwParseError(error);
  });
  if (!("error" in read)) return read.value;
  if (!read.isTooLarge) throw new SyntaxError(read.error);
  // The number of lists and keys is limited for others only.
  if (isOurs) return readHere();
  throw tooLarge(`Request entity too large: ${read.error}`);
}

/** Parses YAML; a large text in a separate thread, because it takes many times as long as JSON. */
async function readYaml(text: string, { texts, caller }: BodyReader): Promise<unknown> {
  const read = await texts.run("yamlValue", text, {
    key: caller.user,
    runHere: yamlValue,
    characters: text.length,
  }).catch(throwParseError);
  if ("error" in read) throw badRequest(`couldn't get version/kind; yaml: ${read.error}`);
  return read.value ?? undefined;
}

function unsupportedBody(): never {
  const message = "this kind is not read from protobuf; send application/json or application/yaml instead, as " +
    "`kubectl create -f` and `kubectl apply -f` do";
  throw new StatusError(415, "UnsupportedMediaType", message);
}
