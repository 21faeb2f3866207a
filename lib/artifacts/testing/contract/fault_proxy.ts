/** A proxy on loopback that injects faults by script, in front of any plain HTTP server. */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A fault of one request. Offsets are counted in bytes after the head. */
export type Fault =
  /** The connection ends before anything is forwarded, … */
  | { readonly kind: "reset" }
  /** … after a number of bytes of the response or request body, … */
  | { readonly kind: "cut answer" | "cut request"; readonly after: number }
  /** … or when everything is done, but before the response. */
  | { readonly kind: "lost answer" }
  /** A body that stops after a number of bytes, and does not end. */
  | { readonly kind: "stall"; readonly after: number }
  /** One bit of this byte is flipped. */
  | { readonly kind: "flip answer" | "flip request"; readonly at: number }
  /** The proxy responds instead of the server. */
  | {
    readonly kind: "answer";
    readonly status: number;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: string;
  };

/** Selects the fault of a request by the first line of its head (`GET /key HTTP/1.1`) and the whole head. */
export type Decide = (line: string, head: string) => Fault | undefined;

/** A running proxy. Each connection carries one request. */
export class FaultProxy {
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #open = new Set<Deno.TcpConn>();
  readonly #work: Promise<void>[] = [];
  #closed = false;
  /** First lines of received requests. */
  readonly requests: string[] = [];
  /** Selects the fault of each request. None by default. */
  decide: Decide = () => undefined;

  /** @param to the port of the real server on 127.0.0.1. */
  constructor(readonly to: number) {
    this.#work.push(this.#accept());
  }

  get port(): number {
    return (this.#listener.addr as Deno.NetAddr).port;
  }

  /** Applies these faults to the first matching requests, in order. `undefined` means no fault. */
  planFaults(faults: readonly (Fault | undefined)[], matches: RegExp = /./): void {
    const left = [...faults];
    this.decide = (line) => matches.test(line) ? left.shift() : undefined;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#listener.close();
    for (const conn of this.#open) this.#end(conn);
    await Promise.all(this.#work);
  }

  async #accept(): Promise<void> {
    while (!this.#closed) {
      const conn = await this.#listener.accept().catch(() => undefined);
      if (!conn) continue;
      this.#open.add(conn);
      this.#work.push(this.#serve(conn).catch(() => {}).finally(() => this.#end(conn)));
    }
  }

  #end(conn: Deno.TcpConn): void {
    if (this.#open.delete(conn)) conn.close();
  }

  async #serve(client: Deno.TcpConn): Promise<void> {
    const begun = await readHead(client);
    if (begun === undefined) return;
    const [line = ""] = begun.head.split("\r\n", 1);
    this.requests.push(line);
    const fault = this.decide(line, begun.head);
    if (fault?.kind === "reset") return;
    if (fault?.kind === "answer") return await sendFaultResponse(client, begun, fault);
    const server = await Deno.connect({ hostname: "127.0.0.1", port: this.to });
    this.#open.add(server);
    try {
      // One request per connection, so that the end of the response is the end of the stream.
      const head = begun.head.replace(/\r\nconnection:[^\r]*/i, "").replace(
        /\r\n\r\n$/,
        "\r\nConnection: close\r\n\r\n",
      );
      await writeAll(server, encoder.encode(head));
      const up = pump(client, server, requestHarm(fault), begun.remainder).then((done) => {
        if (done === "cut") this.#end(client), this.#end(server);
      }, () => {});
      const end = await this.#forwardResponse(server, client, fault);
      if (end === "stall") await up;
      else this.#end(client);
      await up;
    } finally {
      this.#end(server);
    }
  }

  async #forwardResponse(server: Deno.TcpConn, client: Deno.TcpConn, fault: Fault | undefined): Promise<string> {
    const begun = await readHead(server);
    if (begun === undefined || fault?.kind === "lost answer") return "end";
    await writeAll(client, encoder.encode(begun.head));
    return await pump(server, client, responseHarm(fault), begun.remainder);
  }
}

/** The faults of a stream of bytes, by offset in bytes. */
interface FaultEffect {
  readonly cutAfter?: number;
  readonly stallAfter?: number;
  readonly flipAt?: number;
}

function requestHarm(fault: Fault | undefined): FaultEffect {
  if (fault?.kind === "cut request") return { cutAfter: fault.after };
  return fault?.kind === "flip request" ? { flipAt: fault.at } : {};
}

function responseHarm(fault: Fault | undefined): FaultEffect {
  if (fault?.kind === "cut answer") return { cutAfter: fault.after };
  if (fault?.kind === "stall") return { stallAfter: fault.after };
  return fault?.kind === "flip answer" ? { flipAt: fault.at } : {};
}

async function pump(
  from: Deno.Conn,
  to: Deno.Conn,
  harm: FaultEffect,
  first: Uint8Array,
): Promise<"end" | "cut" | "stall"> {
  const max = Math.min(harm.cutAfter ?? Infinity, harm.stallAfter ?? Infinity);
  const buffer = new Uint8Array(65_536);
  let done = 0;
  for (let part: Uint8Array = first;;) {
    const send = part.slice(0, Math.max(0, max - done));
    const flip = harm.flipAt === undefined ? -1 : harm.flipAt - done;
    if (flip >= 0 && flip < send.length) send.set(send.subarray(flip, flip + 1).map((byte) => byte ^ 1), flip);
    await writeAll(to, send);
    done += part.length;
    if (done >= max) return harm.cutAfter !== undefined ? "cut" : "stall";
    const size = await from.read(buffer);
    if (size === null) return "end";
    part = buffer.subarray(0, size);
  }
}

async function sendFaultResponse(
  client: Deno.TcpConn,
  begun: { head: string },
  fault: Fault & { kind: "answer" },
): Promise<void> {
  const body = /^HEAD /.test(begun.head) ? "" : fault.body ?? "";
  const size = encoder.encode(fault.body ?? "").length;
  const headers = { "Content-Length": `${size}`, Connection: "close", ...fault.headers };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`).join("");
  await writeAll(client, encoder.encode(`HTTP/1.1 ${fault.status} Fault\r\n${lines}\r\n${body}`));
  await client.closeWrite();
  const buffer = new Uint8Array(65_536);
  while (await client.read(buffer) !== null);
}

/** Returns a head, and the bytes after it. */
async function readHead(
  conn: Deno.Conn,
): Promise<{ readonly head: string; readonly remainder: Uint8Array } | undefined> {
  let bytes = new Uint8Array();
  const buffer = new Uint8Array(65_536);
  for (;;) {
    const text = latin1(bytes);
    const end = text.indexOf("\r\n\r\n");
    if (end >= 0) return { head: decoder.decode(bytes.subarray(0, end + 4)), remainder: bytes.subarray(end + 4) };
    const size = await conn.read(buffer);
    if (size === null) return undefined;
    const joined = new Uint8Array(bytes.length + size);
    joined.set(bytes);
    joined.set(buffer.subarray(0, size), bytes.length);
    bytes = joined;
  }
}

function latin1(bytes: Uint8Array): string {
  return new TextDecoder("latin1").decode(bytes);
}

async function writeAll(conn: Deno.Conn, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) done += await conn.write(bytes.subarray(done));
}
