/** A server on loopback that follows one script per connection. */

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A connection within a script. */
export interface Visit {
  readonly conn: Deno.Conn;
  /** Reads until the text has arrived, or to the end; returns everything since the last call. */
  until(text: string): Promise<string>;
  /** Reads a request with its whole body. */
  request(): Promise<string>;
  write(text: string): Promise<void>;
}

/** The script of one connection, which is closed at its end. */
export type Script = (visit: Visit) => Promise<void>;

/** A running server. */
export interface ScriptedServer extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  /** The number of connections. */
  readonly visits: number;
}

/** Starts a server; the last script serves all further connections. `tls` is its certificate and key in PEM. */
export function scriptedServer(scripts: readonly Script[], tls?: { cert: string; key: string }): ScriptedServer {
  const address = { hostname: "127.0.0.1", port: 0 };
  const listener: Deno.Listener = tls ? Deno.listenTls({ ...address, ...tls }) : Deno.listen(address);
  const { port } = listener.addr as Deno.NetAddr;
  const open = new Set<Deno.Conn>();
  const work: Promise<void>[] = [];
  let visits = 0;
  let closed = false;
  const accepting = (async () => {
    while (!closed) {
      const conn = await listener.accept().catch(() => undefined);
      if (conn === undefined) continue;
      const script = scripts[visits++] ?? scripts.at(-1);
      if (script === undefined) throw new Error("A scripted server needs a script");
      open.add(conn);
      work.push(visit(conn, script).catch(() => {}).finally(() => close(conn, open)));
    }
  })();
  return {
    port,
    url: `${tls ? "https" : "http"}://127.0.0.1:${port}`,
    get visits() {
      return visits;
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      listener.close();
      for (const conn of open) close(conn, open);
      await Promise.all([accepting, ...work]);
    },
  };
}

function close(conn: Deno.Conn, open: Set<Deno.Conn>): void {
  if (!open.delete(conn)) return;
  try {
    conn.close();
  } catch { /* The script closed it. */ }
}

async function visit(conn: Deno.Conn, script: Script): Promise<void> {
  let unread = "";
  const more = async () => {
    const buffer = new Uint8Array(65_536);
    const size = await conn.read(buffer);
    if (size !== null) unread += decoder.decode(buffer.subarray(0, size));
    return size !== null;
  };
  const take = (length: number) => {
    const taken = unread.slice(0, length);
    unread = unread.slice(length);
    return taken;
  };
  const until = async (text: string) => {
    while (!unread.includes(text)) if (!await more()) return take(unread.length);
    return take(unread.indexOf(text) + text.length);
  };
  await script({
    conn,
    until,
    async request() {
      const head = await until("\r\n\r\n");
      const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
      while (unread.length < length) if (!await more()) break;
      return head + take(length);
    },
    async write(text) {
      const bytes = encoder.encode(text);
      for (let done = 0; done < bytes.length;) done += await conn.write(bytes.subarray(done));
    },
  });
}
