/** Logins of the fake cluster: Kerberos at its name nodes, DIGEST-MD5 at its data nodes. */
import { createCipheriv, createHash, createHmac } from "node:crypto";
import { joinedBytes } from "@tiphys/base/joined_bytes";
import { Acceptor, type AcceptorFaults } from "../kerberos/testing/acceptor.ts";
import type { Key } from "../kerberos/key.ts";
import { Rc4 } from "../rc4.ts";
import { Message, message, prefixVarintLength, Reader } from "../rpc_messages.ts";
import { Incoming } from "./rpc_cluster.ts";

const utf8 = (text: string) => new TextEncoder().encode(text);

/** The properties of a name node's login. */
export interface NameLogin extends AcceptorFaults {
  readonly serviceKey: Key;
  /** The offered protections, as bits of RFC 4752. */
  readonly bits: number;
  /** The login methods. Kerberos alone if undefined. */
  readonly methods?: readonly string[];
  /** It rejects every ticket, with Java's message. */
  readonly refuses?: boolean;
  /** The users that logged in, and their chosen bits. */
  readonly logins: string[];
}

/** The login of a name node. */
export function nameLogin(options: NameLogin): (incoming: Incoming) => Promise<Incoming> {
  return async (incoming) => {
    const acceptor = new Acceptor(options.serviceKey, options);
    const header = message([[1, 0xffffffdf], [2, 0]]);
    const ways = (options.methods ?? ["KERBEROS"]).map((method) =>
      message([[1, method], [2, "GSSAPI"], [3, "nn"], [4, "h"]])
    );
    const say = (state: number, token?: Uint8Array, offered: readonly Uint8Array[] = []) =>
      incoming.write(frameMessages([header, message([[2, state], [3, token], [4, offered]])]));
    const heard = async (state: number) => {
      const size = new DataView((await incoming.read(4)).buffer).getUint32(0);
      const reader = new Reader(await incoming.read(size));
      reader.take(Number(reader.varint()));
      const said = new Message(reader.take(Number(reader.varint())));
      if (said.number(2) !== state) throw new Error(`state ${said.number(2)}`);
      return said.bytes(3) ?? new Uint8Array();
    };
    await heard(1);
    await say(1, undefined, ways);
    const shown = await heard(2);
    if (options.refuses) {
      const words = [[4, "javax.security.sasl.SaslException"], [5, "GSS initiate failed"], [6, 15]] as const;
      await incoming.write(frameMessages([message([[1, 0xffffffdf], [2, 2], ...words])]));
    }
    await say(3, acceptor.accept(shown));
    await heard(4);
    // The maximum size of a message: the overhead of a sealed piece plus a few bytes.
    await say(3, acceptor.wrap(Uint8Array.of(options.bits, 0, 0, 128 + 40), false));
    const [bit = 0] = acceptor.unwrap(await heard(4), false);
    options.logins.push(`${acceptor.client} ${bit}`);
    await say(0);
    if (bit === 1) return incoming;
    return new Incoming(incoming.conn, {
      send: (bytes) => say(5, acceptor.wrap(bytes, bit === 4)),
      receive: async () => acceptor.unwrap(await heard(5), bit === 4),
    });
  };
}

/** The properties of a data node's login. */
export interface DataLogin {
  /** The offered qualities. */
  readonly qop: string;
  /** Whether AES is negotiated. */
  readonly hasAes?: boolean;
  readonly user: string;
  readonly password: string;
  /** The response instead of a challenge. */
  readonly refusal?: Uint8Array;
  /** It does not know the password. */
  readonly isForged?: boolean;
  /** It modifies a byte of sealed data. */
  readonly isBroken?: boolean;
  /** The chosen qualities. */
  readonly chosen: string[];
}

/** The login of a data node. */
export function dataLogin(options: DataLogin): (incoming: Incoming) => Promise<Incoming> {
  return async (incoming) => {
    if ((await incoming.read(4)).toHex() !== "deadbeef") throw new Error("it does not log in");
    await incoming.delimited();
    if (options.refusal) {
      await incoming.write(prefixVarintLength(options.refusal));
      return incoming;
    }
    const challenge = `realm="0",nonce="abc",qop="${options.qop}",charset=utf-8,cipher="3des,rc4",algorithm=md5-sess`;
    await incoming.write(prefixVarintLength(message([[1, 0], [2, challenge]])));
    const answer = await incoming.delimited();
    const response = answer.text(2)!;
    const word = (name: string) => new RegExp(`\\b${name}="?([^",]*)`).exec(response)![1]!;
    const qop = word("qop");
    options.chosen.push(qop);
    const secret = joinedBytes([md5(`${word("username")}:0:${options.password}`), utf8(`:abc:${word("cnonce")}`)]);
    const key = md5(secret);
    const proof = (method: string) => {
      const body = qop === "auth" ? "" : `:${"0".repeat(32)}`;
      const text = `${key.toHex()}:abc:00000001:${word("cnonce")}:${qop}:${md5(`${method}:hdfs/0${body}`).toHex()}`;
      return md5(text).toHex();
    };
    if (word("username") !== options.user || word("response") !== proof("AUTHENTICATE")) throw new Error("not proved");
    const sealing = serverSeal(key, qop === "auth-conf");
    const aes = options.hasAes && answer.message(4)?.number(1) === 2
      ? [1, 2, 3, 4].map((fill) => new Uint8Array(16).fill(fill))
      : undefined;
    const agreed = aes &&
      message([[1, 2], [2, sealing.seal(aes[0]!)], [3, aes[1]], [4, sealing.seal(aes[2]!)], [5, aes[3]]]);
    const proved = options.isForged ? "0".repeat(32) : proof("");
    await incoming.write(prefixVarintLength(message([[1, 0], [2, `rspauth=${proved}`], [4, agreed]])));
    if (qop === "auth") return incoming;
    if (aes) {
      const theirs = createCipheriv("aes-128-ctr", aes[0]!, aes[1]!);
      const own = createCipheriv("aes-128-ctr", aes[2]!, aes[3]!);
      return new Incoming(incoming.conn, {
        send: (bytes) => incoming.write(own.update(bytes)),
        receive: async () => theirs.update(await incoming.some()),
      });
    }
    return new Incoming(incoming.conn, {
      async send(bytes) {
        const sealed = sealing.seal(bytes);
        if (options.isBroken) sealed[0]! ^= 1;
        await incoming.write(joinedBytes([sizeOf(sealed), sealed]));
      },
      async receive() {
        const size = new DataView((await incoming.read(4)).buffer).getUint32(0);
        return sealing.open(await incoming.read(size));
      },
    });
  };
}

/** The server's side of sealing. */
function serverSeal(key: Uint8Array, isHidden: boolean) {
  const keyOf = (text: string) => md5(joinedBytes([key, utf8(`${text} key magic constant`)]));
  const [own, theirs] = ["server-to-client", "client-to-server"].map((way) => ({
    key: keyOf(`Digest session key to ${way} signing`),
    cipher: isHidden ? new Rc4(keyOf(`Digest H(A1) to ${way} sealing`)) : { apply: (bytes: Uint8Array) => bytes },
    number: 0,
  }));
  const sum = (side: { key: Uint8Array }, number: Uint8Array, bytes: Uint8Array) =>
    createHmac("md5", side.key).update(number).update(bytes).digest().subarray(0, 10);
  return {
    seal(bytes: Uint8Array): Uint8Array {
      const number = sizeOf({ length: own!.number++ });
      const summed = joinedBytes([bytes, sum(own!, number, bytes)]);
      return joinedBytes([own!.cipher.apply(summed), Uint8Array.of(0, 1), number]);
    },
    open(sealed: Uint8Array): Uint8Array {
      const number = sizeOf({ length: theirs!.number++ });
      const summed = theirs!.cipher.apply(sealed.subarray(0, -6));
      const bytes = summed.slice(0, -10);
      if (!sum(theirs!, number, bytes).equals(summed.subarray(-10))) throw new Error("the sum is another one");
      return bytes;
    },
  };
}

function frameMessages(messages: readonly Uint8Array[]): Uint8Array {
  const all = joinedBytes(messages.map(prefixVarintLength));
  return joinedBytes([sizeOf(all), all]);
}

function sizeOf({ length }: { readonly length: number }): Uint8Array {
  const size = new DataView(new ArrayBuffer(4));
  size.setUint32(0, length);
  return new Uint8Array(size.buffer);
}

function md5(bytes: string | Uint8Array): Uint8Array {
  return new Uint8Array(createHash("md5").update(bytes).digest());
}
