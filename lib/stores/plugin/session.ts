/**
 * The gRPC connection to a plugin's server. It is managed here instead of by the library, which does not handle errors
 * between two of its states, and such an error would end the process.
 */
import { type ClientHttp2Session, connect as connectHttp2, type OutgoingHttpHeaders } from "node:http2";
import { connect } from "node:net";
import { Code, ConnectError } from "@connectrpc/connect";
import { deferSessionEnd } from "@tiphys/base/net/session_end";

/** A connection to a socket. It is opened by the first request, and reopened by the next request after it ended. */
export class PluginSession {
  // The authority has no meaning on a socket, but servers require a valid name.
  readonly authority = "http://localhost";
  readonly #socket: string;
  #session: Promise<ClientHttp2Session> | undefined;

  constructor(socket: string) {
    this.#socket = socket;
  }

  async request(method: string, path: string, headers: OutgoingHttpHeaders, options: object) {
    const isKept = this.#session !== undefined;
    let opened = this.#session ??= this.#open();
    let session = await opened;
    // The end of a connection is reported one turn later.
    if (isKept && (session.destroyed || session.closed)) {
      this.#forget(opened);
      opened = this.#session ??= this.#open();
      session = await opened;
    }
    try {
      return session.request({ ...headers, ":method": method, ":path": path }, options);
    } catch (error) {
      this.#forget(opened);
      throw new ConnectError((error as Error).message, Code.Unavailable);
    }
  }

  /** Unused. The library calls it for keep-alive checks. */
  notifyResponseByteRead(): void {}

  close(): void {
    this.#session?.then((session) => session.destroy(), () => {});
    this.#session = undefined;
  }

  /** If another connection has replaced it, that one is kept. */
  #forget(opened: Promise<ClientHttp2Session>): void {
    if (this.#session === opened) this.#session = undefined;
  }

  #open(): Promise<ClientHttp2Session> {
    const { promise, resolve, reject } = Promise.withResolvers<ClientHttp2Session>();
    const session = deferSessionEnd(connectHttp2(this.authority, {
      createConnection: () => connect({ path: this.#socket }).on("error", () => {}),
    }));
    session.once("connect", () => resolve(session));
    // Requests in flight receive the error separately.
    session.on("error", (error) => reject(new ConnectError(error.message, Code.Unavailable)));
    session.once("close", () => {
      this.#forget(promise);
      reject(new ConnectError("the connection was closed", Code.Unavailable));
    });
    return promise;
  }
}
