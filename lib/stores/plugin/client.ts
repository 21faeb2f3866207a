/** A client of a plugin's server: gRPC over its socket, with errors converted to store errors. */
import { createFileRegistry, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { type CallOptions, Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { StoreError, type StoreErrorKind } from "@tiphys/model/artifact";
import { DESCRIPTOR } from "./gen/descriptor.ts";
import { PluginSession } from "./session.ts";

/** An artifact as sent to plugins. */
export interface PluginMessage {
  readonly plugin: {
    readonly name: string;
    readonly configuration: string;
    readonly connectionTimeoutSeconds: number;
    readonly key: string;
  };
}

/** A response that may be a failure. */
export interface Outcome {
  readonly success: boolean;
  readonly error: string;
}

/** The calls of a plugin, named as in its service. */
export interface PluginClient {
  load(request: { inputArtifact: PluginMessage; path: string }, options: CallOptions): Promise<Outcome>;
  save(request: { outputArtifact: PluginMessage; path: string }, options: CallOptions): Promise<Outcome>;
  delete(request: { artifact: PluginMessage }, options: CallOptions): Promise<Outcome>;
  listObjects(
    request: { artifact: PluginMessage },
    options: CallOptions,
  ): Promise<{ objects: string[]; error: string }>;
  isDirectory(
    request: { artifact: PluginMessage },
    options: CallOptions,
  ): Promise<{ isDirectory: boolean; error: string }>;
  getCapabilities(request: object, options: CallOptions): Promise<{ supportsSaveStream: boolean }>;
  openStream(
    request: { artifact: PluginMessage },
    options: CallOptions,
  ): AsyncIterable<{ data: Uint8Array<ArrayBuffer>; isEnd: boolean; error: string }>;
  saveStream(
    frames: AsyncIterable<{ outputArtifact?: PluginMessage; chunk?: Uint8Array<ArrayBuffer> }>,
    options: CallOptions,
  ): Promise<Outcome>;
}

/** A client, and a function that closes its connection. */
export interface OpenClient {
  readonly client: PluginClient;
  readonly close: () => void;
}

/** Opens a client. It connects at the first call. */
export function openClient(socket: string): OpenClient {
  const registry = createFileRegistry(
    fromBinary(FileDescriptorSetSchema, Uint8Array.from(atob(DESCRIPTOR), (char) => char.charCodeAt(0))),
  );
  const service = registry.getService("artifact.ArtifactService")!;
  const session = new PluginSession(socket);
  const transport = createGrpcTransport({ baseUrl: session.authority, sessionManager: session });
  return {
    // deno-lint-ignore tiphys/no-double-cast -- its calls are those of the descriptor, which has no static types
    client: createClient(service, transport) as unknown as PluginClient,
    close: () => session.close(),
  };
}

const KINDS: Partial<Record<Code, StoreErrorKind>> = {
  [Code.NotFound]: "missing",
  [Code.PermissionDenied]: "forbidden",
  [Code.Unauthenticated]: "forbidden",
  [Code.Unavailable]: "transient",
  [Code.DeadlineExceeded]: "transient",
  [Code.ResourceExhausted]: "transient",
  [Code.Aborted]: "transient",
};

/** Whether a plugin does not implement a call. */
export function isUnimplemented(error: unknown): boolean {
  return error instanceof ConnectError && error.code === Code.Unimplemented;
}

/** Runs a call. Failures become store errors that begin with `operation`. */
export async function call<T>(operation: string, stop: AbortSignal, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    stop.throwIfAborted();
    if (!(error instanceof ConnectError)) throw error;
    throw new StoreError(`${operation} failed: ${error.rawMessage}`, KINDS[error.code] ?? "final", undefined, {
      cause: error,
    });
  }
}

/** Returns the error for a plugin's message. A message that begins with "not found" means a missing artifact. */
export function pluginError(operation: string, error: string): StoreError {
  const kind = /^not found/i.test(error) ? "missing" : "final";
  return new StoreError(`${operation} failed: ${error || "the plugin returned no reason"}`, kind);
}
