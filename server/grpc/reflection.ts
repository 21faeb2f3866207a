/**
 * gRPC reflection (`grpc.reflection.v1.ServerReflection`, and `v1alpha` for older clients): describes services and
 * messages to clients without their definitions, such as grpcurl. It discloses no objects and requires no credentials.
 */
import { pipe, transformSplitEnvelope } from "@connectrpc/connect/protocol";
import {
  describe,
  type DescriptorFile,
  DESCRIPTORS,
  MESSAGES,
  type MessageType,
  METHODS,
  readMessage,
  writeMessage,
} from "@tiphys/proto";
import { CODE, wireErrorOf } from "../wire/errors.ts";
import { Deadline } from "./deadline.ts";
import { respond } from "./respond.ts";

const SERVICES = ["grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection"];
const PATHS = new Set(SERVICES.map((service) => `/${service}/ServerReflectionInfo`));
/** The maximum size of a request, which contains the name of a file or symbol. */
const MAX_BYTES = 4096;
/** The maximum number of requests in a call. */
const MAX_REQUESTS = 1_000;

/** Whether a path is one of the service's methods. */
export function isReflectionPath(path: string): boolean {
  return PATHS.has(path);
}

/** A request of a client; exactly one of the fields is set. */
interface ReflectionRequest {
  readonly fileByFilename?: string;
  readonly fileContainingSymbol?: string;
  readonly listServices?: string;
}

/** Responds to each request of a call in order. Never throws. */
export function answerReflection(request: Request): Response {
  const call = new AbortController();
  const limit = new Deadline(request, call);
  limit.start();
  const sort = (error: unknown) => wireErrorOf(error, () => {});
  return respond(responses(request), { compression: null, sort, limit, call });
}

async function* responses(request: Request): AsyncGenerator<Uint8Array> {
  const questions = pipe((request.body ?? []) as AsyncIterable<Uint8Array>, transformSplitEnvelope(MAX_BYTES));
  const sent = new Set<string>();
  let count = 0;
  for await (const { data } of questions) {
    if (++count > MAX_REQUESTS) return;
    const request = readMessage(messageNamed("reflection.Request"), data) as ReflectionRequest;
    yield writeMessage(messageNamed("reflection.Response"), {
      originalRequest: request,
      ...responseTo(request, sent),
    });
  }
}

/** Returns the response to one request. Files that were already sent in this call are omitted. */
function responseTo(request: ReflectionRequest, sent: Set<string>): object {
  const { fileByFilename: name, fileContainingSymbol: symbol, listServices } = request;
  const { files, services } = loadDescriptions();
  if (listServices !== undefined) return { listServicesResponse: { service: services.map((name) => ({ name })) } };
  const file = symbol === undefined
    ? files.get(name ?? "")
    : [...files.values()].find(({ symbols }) => symbols.includes(symbol));
  if (!file) return errorResponse(CODE.notFound, `unknown symbol or file: ${symbol ?? name ?? ""}`);
  const wanted = [file, ...dependenciesOf(file, files).filter((dependency) => !sent.has(dependency.name))];
  for (const file of wanted) sent.add(file.name);
  return { fileDescriptorResponse: { fileDescriptorProto: wanted.map(bytesOf) } };
}

const written = new Map<DescriptorFile, string>();

/** The bytes of a file in Base64, cached. */
function bytesOf(file: DescriptorFile): string {
  const made = written.get(file) ??
    writeMessage(messageNamed("google.protobuf.FileDescriptorProto"), file.descriptor).toBase64();
  written.set(file, made);
  return made;
}

function errorResponse(errorCode: number, errorMessage: string): object {
  return { errorResponse: { errorCode, errorMessage } };
}

/** Returns all files that a file imports, directly or indirectly, without duplicates. */
function dependenciesOf(file: DescriptorFile, files: ReadonlyMap<string, DescriptorFile>): readonly DescriptorFile[] {
  const found = new Set<DescriptorFile>();
  const look = ({ dependency }: DescriptorFile) => {
    for (const name of dependency) {
      const needed = files.get(name);
      if (!needed || found.has(needed)) continue;
      found.add(needed);
      look(needed);
    }
  };
  look(file);
  return [...found];
}

let known: { readonly files: ReadonlyMap<string, DescriptorFile>; readonly services: readonly string[] } | undefined;

/** Returns the descriptions, which are created on first use. */
function loadDescriptions() {
  return known ??= {
    files: describe(MESSAGES.values(), METHODS),
    services: [...new Set(METHODS.map(({ path }) => path.split("/")[1] ?? "")), ...SERVICES].sort(),
  };
}

function messageNamed(name: string): MessageType {
  return DESCRIPTORS.get(name)!;
}
