/** A proxy in front of a port of this machine that counts the bytes it forwards. */

/** The proxy. Disposing it closes its connections. */
export class CountedPort implements AsyncDisposable {
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #open = new Set<Deno.Conn>();
  readonly #accepting: Promise<void>;
  #bytesSent = 0;

  /** Forwards connections to `port`. */
  constructor(port: number) {
    this.#accepting = this.#accept(port);
  }

  get port(): number {
    return this.#listener.addr.port;
  }

  /** The bytes that clients have sent so far, including TLS. */
  get bytesSent(): number {
    return this.#bytesSent;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    for (const connection of this.#open) connection.close();
    await this.#accepting;
  }

  async #accept(port: number): Promise<void> {
    const pairs: Promise<void>[] = [];
    for await (const client of this.#listener) pairs.push(this.#join(client, port));
    await Promise.all(pairs);
  }

  async #join(client: Deno.Conn, port: number): Promise<void> {
    const server = await Deno.connect({ hostname: "127.0.0.1", port });
    const both = [client, server];
    for (const connection of both) this.#open.add(connection);
    const count = (bytes: number) => void (this.#bytesSent += bytes);
    await Promise.allSettled([forward(client, server, count), forward(server, client, () => {})]);
    for (const connection of both) {
      this.#open.delete(connection);
      try {
        connection.close();
      } catch { /* The connection is already closed. */ }
    }
  }
}

/** Forwards data from one connection to the other until the first one ends. */
async function forward(from: Deno.Conn, to: Deno.Conn, count: (bytes: number) => void): Promise<void> {
  const buffer = new Uint8Array(64 * 1024);
  for (let read = await from.read(buffer); read !== null; read = await from.read(buffer)) {
    count(read);
    for (let offset = 0; offset < read;) offset += await to.write(buffer.subarray(offset, read));
  }
  await to.closeWrite();
}
