/** The client of a plugin's server: gRPC over its socket, errors as errors of a store. */
import { createFileRegistry, fromBinary } from "@bufbuild/protobuf";
import { FileDescriptorSetSchema } from "@bufbuild/protobuf/wkt";
import { type CallOptions, Code, ConnectError, createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { StoreError, type StoreErrorKind } from "../driver.ts";
import { DESCRIPTOR } from "./gen/descriptor.ts";
import { PluginSession } from "./session.ts";

/** An artifact as plugins are told of it. */
export interface PluginMessage {
  readonly plugin: {
    readonly name: string;
    readonly configuration: string;
    readonly connectionTimeoutSeconds: number;
    readonly key: string;
  };
}

/** An answer that may be a failure. */
export interface Outcome {
  readonly success: boolean;
  readonly error: string;
}

/** The calls of a plugin, by the names of its service. */
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

/** A client, and how its connection is ended. */
export interface OpenClient {
  readonly client: PluginClient;
  readonly close: () => void;
}

/** Opens a client; its connection is made by the first call. */
export function openClient(socket: string): OpenClient {
  const registry = createFileRegistry(
    fromBinary(FileDescriptorSetSchema, Uint8Array.from(atob(DESCRIPTOR), (char) => char.charCodeAt(0))),
  );
  const service = registry.getService("artifact.ArtifactService")!;
  const session = new PluginSession(socket);
  const transport = createGrpcTransport({ baseUrl: session.authority, sessionManager: session });
  return {
    // deno-lint-ignore tiphys/no-double-cast -- its calls are those of the descriptor, which the compiler cannot read
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

/** Whether a plugin has no such call. */
export function isUnimplemented(error: unknown): boolean {
  return error instanceof ConnectError && error.code === Code.Unimplemented;
}

/** Does a call, whose failures become errors of a store, `what` in front of them. */
export async function call<T>(what: string, stop: AbortSignal, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    stop.throwIfAborted();
    if (!(error instanceof ConnectError)) throw error;
    throw new StoreError(`${what} failed: ${error.rawMessage}`, KINDS[error.code] ?? "final", undefined, {
      cause: error,
    });
  }
}

/** The error of what a plugin said; one that begins so says that there is nothing. */
export function said(what: string, error: string): StoreError {
  const kind = /^not found/i.test(error) ? "missing" : "final";
  return new StoreError(`${what} failed: ${error || "the plugin gives no reason"}`, kind);
}
