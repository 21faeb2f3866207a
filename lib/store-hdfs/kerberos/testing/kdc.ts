/** A fake key distribution center: principals in memory, over TCP. */
import { application, Element, Fields, fieldsOf, flags, listOf, time } from "../asn1.ts";
import { Key } from "../key.ts";
import type { Ticket } from "../messages.ts";
import type { Principal } from "../principal.ts";
import { joinedBytes } from "@tiphys/base/joined_bytes";

/** The fake server. Disposing of it stops it. */
export interface StandInKdc extends AsyncDisposable {
  readonly port: number;
  /** The keys of principals, by name without the realm. */
  readonly keys: Map<string, Key>;
  /** The services that tickets were requested for, in order. */
  readonly requestedServices: string[];
  /** The failure code of further responses. */
  failure: number | undefined;
  /** Bytes to send instead of a message. */
  garbage: Uint8Array | undefined;
  /** Returns the server's time in milliseconds since the epoch. */
  now: () => number;
  /** The realm that requests are referred to, if set. */
  referral: string | undefined;
}

/** Starts a fake server. */
export function standInKdc(realm: string): StandInKdc {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const conns = new Set<Deno.Conn>();
  const keys = new Map<string, Key>([[`krbtgt/${realm}`, newKey()]]);

  async function serve(conn: Deno.Conn): Promise<void> {
    const size = new DataView((await exactly(conn, 4)).buffer).getUint32(0);
    const answer = made.garbage ?? answerOf(await exactly(conn, size));
    const length = new DataView(new ArrayBuffer(4));
    length.setUint32(0, answer.length);
    await conn.write(joinedBytes([new Uint8Array(length.buffer), answer]));
  }

  function answerOf(bytes: Uint8Array): Uint8Array {
    const request = Fields.message(bytes, 10, 12);
    const isFirst = request.number(2) === 10;
    const body = request.fields(4);
    const service = body.fields(3).texts(1);
    made.requestedServices.push(service.join("/"));
    if (made.failure !== undefined) return failureOf(made.failure);
    const proofs = request.optionalList(3);
    if (isFirst && proofs.length === 0) return failureOf(25);
    const proof = proofs[0]!.bytes(2);
    const [client, by, clientRealm = realm] = isFirst ? firstClient(body, proof) : shownClient(proof);
    if (typeof by === "number") return failureOf(by);
    const given = made.referral && !isFirst ? ["krbtgt", made.referral] : service;
    const serviceKey = keys.get(given.join("/"));
    if (!serviceKey) return failureOf(7);
    const session = newKey();
    const end = time(made.now() + 3_600_000);
    const part = fieldsOf([
      [0, fieldsOf([[0, session.number], [1, session.exportBytes()]])],
      [1, listOf([])],
      [2, body.number(7)],
      [4, flags(0)],
      [5, time(made.now())],
      [7, end],
      [9, realm],
      [10, fieldsOf([[0, 2], [1, listOf(given)]])],
    ]);
    const ticket = fieldsOf([
      [0, 5],
      [1, realm],
      [2, fieldsOf([[0, 2], [1, listOf(given)]])],
      [
        3,
        sealed(
          serviceKey,
          2,
          fieldsOf([[0, client.join("/")], [1, session.number], [2, session.exportBytes()], [3, clientRealm]]).bytes,
        ),
      ],
    ]);
    const [kind, partKind, usage] = isFirst ? [11, 25, 3] : [13, 26, 8];
    return application(
      kind,
      fieldsOf([
        [0, 5],
        [1, kind],
        [3, clientRealm],
        [4, fieldsOf([[0, 1], [1, listOf(client)]])],
        [5, new Element(application(1, ticket))],
        [6, sealed(by, usage, application(partKind, part))],
      ]),
    );
  }

  function firstClient(body: Fields, proof: Uint8Array): [string[], Key | number, string?] {
    const client = body.fields(1).texts(1);
    const key = keys.get(client.join("/"));
    if (!key) return [client, 6];
    try {
      const stamp = Fields.of(key.decrypt(1, Fields.of(proof).bytes(2)));
      return [client, Math.abs(stamp.time(0) - made.now()) > 300_000 ? 37 : key];
    } catch {
      return [client, 24];
    }
  }

  function shownClient(proof: Uint8Array): [string[], Key | number, string?] {
    const { client, clientRealm, key } = readTicket(proof, keys.get(`krbtgt/${realm}`)!, 7);
    return [client, key, clientRealm];
  }

  function failureOf(code: number): Uint8Array {
    const types = fieldsOf([[1, 19], [
      2,
      listOf([...keys.values()].map(({ number }) => fieldsOf([[0, number]]))).bytes,
    ]]);
    return application(
      30,
      fieldsOf([
        [0, 5],
        [1, 30],
        [4, time(made.now())],
        [5, 0],
        [6, code],
        [9, realm],
        [10, fieldsOf([[0, 2], [1, listOf(["krbtgt", realm])]])],
        [11, `what the server says of ${code}\nand more`],
        [12, code === 25 ? listOf([types]).bytes : undefined],
      ]),
    );
  }

  const serving = (async () => {
    for await (const conn of listener) {
      conns.add(conn);
      void serve(conn).catch(() => {}).finally(() => {
        conns.delete(conn);
        conn.close();
      });
    }
  })();

  const made: StandInKdc = {
    port: (listener.addr as Deno.NetAddr).port,
    keys,
    requestedServices: [],
    failure: undefined,
    garbage: undefined,
    now: () => Date.now(),
    referral: undefined,
    async [Symbol.asyncDispose]() {
      listener.close();
      await serving;
    },
  };
  return made;
}

/** Returns a random key. */
export function newKey(number = 18): Key {
  return new Key(number, crypto.getRandomValues(new Uint8Array(number === 17 || number === 19 ? 16 : 32)));
}

/** Returns a keytab with keys of principals. */
export function keytabOf(realm: string, keys: Readonly<Record<string, Key>>): Uint8Array<ArrayBuffer> {
  const counted = (bytes: Uint8Array) => joinedBytes([Uint8Array.of(bytes.length >> 8, bytes.length), bytes]);
  const text = (value: string) => counted(new TextEncoder().encode(value));
  const entries = Object.entries(keys).map(([name, key]) => {
    const parts = name.split("/");
    const body = joinedBytes([
      Uint8Array.of(0, parts.length),
      text(realm),
      ...parts.map(text),
      Uint8Array.of(0, 0, 0, 1, 0, 0, 0, 0, 2, 0, key.number),
      counted(key.exportBytes()),
    ]);
    return joinedBytes([Uint8Array.of(0, 0, body.length >> 8, body.length), body]);
  });
  return joinedBytes([Uint8Array.of(5, 2), ...entries]);
}

/** Returns a credential cache with tickets of one client. */
export function cacheOf(...tickets: readonly Ticket[]): Uint8Array<ArrayBuffer> {
  const number = (value: number) => Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);
  const counted = (bytes: Uint8Array) => joinedBytes([number(bytes.length), bytes]);
  const name = ({ realm, parts }: Principal) =>
    joinedBytes([
      number(1),
      number(parts.length),
      ...[realm, ...parts].map((text) => counted(new TextEncoder().encode(text))),
    ]);
  const entries = tickets.map(({ client, service, key, end, bytes }) =>
    joinedBytes([
      name(client),
      name(service),
      Uint8Array.of(0, key.number),
      counted(key.exportBytes()),
      ...[0, 0, Math.floor(end / 1000), 0].map(number),
      new Uint8Array(5 + 8),
      counted(bytes),
      number(0),
    ])
  );
  return joinedBytes([Uint8Array.of(5, 4, 0, 0), name(tickets[0]!.client), ...entries]);
}

/** Decrypts a ticket with the key of its service. */
export function readTicket(request: Uint8Array, key: Key, usage: number) {
  const fields = Fields.message(request, 14);
  const ticket = Fields.of(key.decrypt(2, Fields.message(fields.encodedField(3), 1).fields(3).bytes(2)));
  const session = new Key(ticket.number(1), ticket.bytes(2));
  const authenticator = Fields.message(session.decrypt(usage, fields.fields(4).bytes(2)), 2);
  return { client: ticket.text(0).split("/"), clientRealm: ticket.text(3), key: session, authenticator };
}

/** Encrypts bytes as in messages. */
export function sealed(key: Key, usage: number, plain: Uint8Array): Element {
  return fieldsOf([[0, key.number], [2, key.encrypt(usage, plain)]]);
}

async function exactly(conn: Deno.Conn, size: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(size);
  for (let offset = 0; offset < size;) {
    const read = await conn.read(bytes.subarray(offset));
    if (read === null) throw new Error("closed");
    offset += read;
  }
  return bytes;
}
