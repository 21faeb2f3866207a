/** The service's side of a security context, for tests. */
import { joinedBytes } from "@tiphys/base/joined_bytes";
import { application, Element, fieldsOf, time } from "../asn1.ts";
import { Key } from "../key.ts";
import { newKey, readTicket, sealed } from "./kdc.ts";

const MECHANISM = Uint8Array.fromHex("06092a864886f712010202");

/** Faults of a service. */
export interface AcceptorFaults {
  /** It does not return the time of the authenticator. */
  readonly isForged?: boolean;
  /** It uses the client's key, and numbers its pieces from zero. */
  readonly isPlain?: boolean;
  /** It rotates sealed data to the right by this number of bytes. */
  readonly turned?: number;
}

/** The service's side. */
export class Acceptor {
  #key!: Key;
  #sent = 0n;
  #flags = 1;
  client = "";

  constructor(readonly serviceKey: Key, readonly faults: AcceptorFaults = {}) {}

  /** Accepts a ticket and returns the proof. */
  accept(token: Uint8Array): Uint8Array {
    const position = token.findIndex((_, index) => MECHANISM.every((byte, offset) => token[index + offset] === byte));
    const { client, clientRealm, key, authenticator } = readTicket(token.subarray(position + 13), this.serviceKey, 11);
    this.client = `${client.join("/")}@${clientRealm}`;
    const subkey = authenticator.fields(6);
    this.#key = new Key(subkey.number(0), subkey.bytes(1));
    const own = this.faults.isPlain ? undefined : newKey(17);
    if (own) {
      this.#key = own;
      this.#flags = 5;
      this.#sent = 77n;
    }
    const part = fieldsOf([
      [0, time(authenticator.time(5) + (this.faults.isForged ? 1000 : 0))],
      [1, authenticator.number(4)],
      [2, own && fieldsOf([[0, own.number], [1, own.exportBytes()]])],
      [3, own && Number(this.#sent)],
    ]);
    const reply = application(15, fieldsOf([[0, 5], [1, 15], [2, sealed(key, 12, application(27, part))]]));
    return application(0, new Element(joinedBytes([MECHANISM, Uint8Array.of(2, 0), reply])));
  }

  wrap(bytes: Uint8Array, isHidden: boolean): Uint8Array {
    const flags = this.#flags | (isHidden ? 2 : 0);
    const sequence = this.#sent++;
    const plain = header(flags, { extra: 0, turned: 0, sequence });
    const turned = this.faults.turned ?? 0;
    if (isHidden) {
      const body = this.#key.encrypt(22, joinedBytes([bytes, plain]));
      return joinedBytes([header(flags, { extra: 0, turned, sequence }), rotatedRight(body, turned)]);
    }
    const sum = this.#key.checksum(22, joinedBytes([bytes, plain]));
    const extra = sum.length;
    return joinedBytes([header(flags, { extra, turned, sequence }), rotatedRight(joinedBytes([bytes, sum]), turned)]);
  }

  unwrap(token: Uint8Array, isHidden: boolean): Uint8Array {
    const [head, body] = [token.subarray(0, 16), token.subarray(16)];
    if (isHidden) return this.#key.decrypt(24, body).slice(0, -16);
    const end = body.length - this.#key.checksumBytes;
    const plain = head.slice();
    plain.fill(0, 4, 8);
    this.#key.verify(24, joinedBytes([body.subarray(0, end), plain]), body.subarray(end));
    return body.subarray(0, end);
  }
}

function header(
  flags: number,
  { extra, turned, sequence }: { readonly extra: number; readonly turned: number; readonly sequence: bigint },
): Uint8Array {
  const view = new DataView(new ArrayBuffer(16));
  view.setUint32(0, 0x050400ff | flags << 8);
  view.setUint16(4, extra);
  view.setUint16(6, turned);
  view.setBigUint64(8, sequence);
  return new Uint8Array(view.buffer);
}

function rotatedRight(bytes: Uint8Array, by: number): Uint8Array {
  const cut = bytes.length - by % bytes.length;
  return joinedBytes([bytes.subarray(cut), bytes.subarray(0, cut)]);
}
