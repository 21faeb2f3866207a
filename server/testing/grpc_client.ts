/** A gRPC client for tests that shares no code with the server: `@grpc/grpc-js`. */
import { Buffer } from "node:buffer";
import { Client, credentials, Metadata, type ServiceError } from "@grpc/grpc-js";
import { type Method, METHODS, readMessage, writeMessage } from "@tiphys/proto";

/** The status of a refused call. */
export interface Refusal {
  readonly code: number;
  readonly details: string;
}

/** Options of a call. */
export interface CallOptions {
  readonly token?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  /** In milliseconds. */
  readonly timeout?: number;
  /** The number of the compression algorithm: 2 is gzip. */
  readonly compression?: number;
}

/** A connection. */
export class GrpcClient implements Disposable {
  readonly #client: Client;

  constructor(address: string, { rootCertificate, gzip = false }: { rootCertificate?: string; gzip?: boolean } = {}) {
    const safety = rootCertificate ? credentials.createSsl(Buffer.from(rootCertificate)) : credentials.createInsecure();
    this.#client = new Client(address, safety, {
      "grpc.max_receive_message_length": -1,
      "grpc.max_send_message_length": -1,
      ...(rootCertificate && { "grpc.ssl_target_name_override": "localhost" }),
      ...(gzip && { "grpc.default_compression_algorithm": 2 }),
    });
  }

  /** Returns the answer and its metadata. */
  call(path: string, message: unknown, options: CallOptions = {}): Promise<{ answer: unknown; header: Metadata }> {
    const { input, output } = methodOf(path);
    return new Promise((resolve, reject) => {
      let header = new Metadata();
      const call = this.#client.makeUnaryRequest(
        path,
        (value: unknown) => bytesOf(input, value),
        (bytes: Uint8Array) => ({ value: readMessage(output, bytes) }),
        message,
        metadataOf(options),
        deadlineOf(options),
        (error, answer) => error ? reject(error) : resolve({ answer: answer?.value, header }),
      );
      call.on("metadata", (received: Metadata) => header = received);
    });
  }

  /** Returns the status of a call that must be refused. */
  async refusal(path: string, message: unknown, options: CallOptions = {}): Promise<Refusal> {
    try {
      const { answer } = await this.call(path, message, options);
      throw new Error(`${path} succeeded with ${JSON.stringify(answer).slice(0, 200)}`);
    } catch (error) {
      if (!isServiceError(error)) throw error;
      return { code: error.code, details: error.details };
    }
  }

  /** Yields the messages of a stream. Ending the iteration cancels it. */
  async *stream(path: string, message: unknown, options: CallOptions = {}): AsyncGenerator<unknown> {
    const { input, output } = methodOf(path);
    const call = this.#client.makeServerStreamRequest(
      path,
      (value: unknown) => bytesOf(input, value),
      (bytes: Uint8Array) => ({ value: readMessage(output, bytes) }),
      message,
      metadataOf(options),
      deadlineOf(options),
    );
    call.on("error", () => {});
    try {
      for await (const message of call) yield (message as { value: unknown }).value;
    } finally {
      call.cancel();
    }
  }

  [Symbol.dispose](): void {
    this.#client.close();
  }
}

/** Reports whether an error is the status of a call. */
export function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && typeof (error as Partial<ServiceError>).code === "number";
}

function bytesOf(type: Method["input"], value: unknown): Buffer {
  return Buffer.from(value instanceof Uint8Array ? value : writeMessage(type, value));
}

/** Unknown paths are called with empty messages. */
function methodOf(path: string): Pick<Method, "input" | "output"> {
  const empty = { name: "(empty)", fields: [], byNumber: new Map(), wrappedField: undefined };
  return METHODS.find((method) => method.path === path) ?? { input: empty, output: empty };
}

function metadataOf({ token, metadata = {} }: CallOptions): Metadata {
  const made = new Metadata();
  if (token !== undefined) made.set("authorization", `Bearer ${token}`);
  for (const [name, value] of Object.entries(metadata)) made.set(name, value);
  return made;
}

function deadlineOf({ timeout }: CallOptions) {
  return timeout === undefined ? {} : { deadline: Date.now() + timeout };
}
