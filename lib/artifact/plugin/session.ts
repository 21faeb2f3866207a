/**
 * The connection to a plugin's server, which gRPC is spoken on. It is kept here, and not by the library: that listens to
 * no failure between two of its own states, and such a one ends the whole process.
 */
import { type ClientHttp2Session, connect as connectHttp2, type OutgoingHttpHeaders } from "node:http2";
import { connect } from "node:net";
import { Code, ConnectError } from "@connectrpc/connect";

/** One connection to a socket, made by the first request, and anew by the first after it ended. */
export class PluginSession {
  // The authority is of no meaning on a socket, but servers refuse one that is no name.
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
    // Its end is told a turn after it came.
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

  /** Of no use here: the library asks for it of whoever looks whether connections are alive. */
  notifyResponseByteRead(): void {}

  close(): void {
    this.#session?.then((session) => session.destroy(), () => {});
    this.#session = undefined;
  }

  /** Another connection may have taken its place: that one stays. */
  #forget(opened: Promise<ClientHttp2Session>): void {
    if (this.#session === opened) this.#session = undefined;
  }

  #open(): Promise<ClientHttp2Session> {
    const { promise, resolve, reject } = Promise.withResolvers<ClientHttp2Session>();
    const session = connectHttp2(this.authority, {
      createConnection: () => connect({ path: this.#socket }).on("error", () => {}),
    });
    session.once("connect", () => resolve(session));
    // Requests that are under way hear of it by themselves.
    session.on("error", (error) => reject(new ConnectError(error.message, Code.Unavailable)));
    session.once("close", () => {
      this.#forget(promise);
      reject(new ConnectError("the connection was closed", Code.Unavailable));
    });
    return promise;
  }
}
