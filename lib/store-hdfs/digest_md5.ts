/** DIGEST-MD5 (RFC 2831): proves knowledge of a password without sending it, and seals data with derived keys. */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { Bytes } from "@tiphys/base/net";
import { joinedBytes } from "@tiphys/base/joined_bytes";
import { MessageError } from "./rpc_messages.ts";
import { Rc4 } from "./rc4.ts";

/** Protection of data after the login: none, checksums, or checksums and encryption. */
export type Quality = "auth" | "auth-int" | "auth-conf";

/** All qualities, the weakest first. */
export const QUALITIES: readonly Quality[] = ["auth", "auth-int", "auth-conf"];

/** The size of a checksum, and of the trailer after it: the kind of the piece, and its number. */
const SUM_BYTES = 10;
const KIND = [0, 1];
const TAIL_BYTES = 6;

/** Maximum number of parts of a challenge that are read. */
const MAX_CHALLENGE_PARTS = 64;

/** The user, password and service of a login. */
export interface DigestLogin {
  readonly user: string;
  readonly password: string;
  /** The service and its host, such as `hdfs/0`. */
  readonly service: string;
}

/** One login, and the protection of data after it. */
export class DigestMd5 {
  readonly #login: DigestLogin;
  readonly #clientNonce: string;
  #quality: Quality = "auth";
  #challenge: ReadonlyMap<string, string> = new Map();
  #secret: Bytes = new Uint8Array();
  #sealing: Sealing | undefined;

  /** @param clientNonce an unpredictable text. */
  constructor(login: DigestLogin, clientNonce: string) {
    this.#login = login;
    this.#clientNonce = clientNonce;
  }

  /** The chosen protection. */
  get quality(): Quality {
    return this.#quality;
  }

  /**
   * Responds to the server's challenge. `choose` selects the quality from those offered.
   * @throws {MessageError} when the challenge is invalid.
   */
  respond(challenge: Uint8Array, choose: (offered: readonly Quality[]) => Quality): Bytes {
    this.#challenge = readChallenge(new TextDecoder().decode(challenge));
    const offered = (this.#challenge.get("qop") ?? "auth").split(",").map((word) => word.trim());
    this.#quality = choose(QUALITIES.filter((quality) => offered.includes(quality)));
    const ciphers = (this.#challenge.get("cipher") ?? "").split(",").map((word) => word.trim());
    if (this.#quality === "auth-conf" && !ciphers.includes("rc4")) throw new MessageError("it offers no cipher rc4");
    const { user, password, service } = this.#login;
    const realm = this.#challenge.get("realm") ?? "";
    const nonce = this.#challenge.get("nonce") ?? "";
    this.#secret = joinedBytes([
      md5(`${user}:${realm}:${password}`),
      new TextEncoder().encode(`:${nonce}:${this.#clientNonce}`),
    ]);
    const texts = { username: user, realm, nonce, cnonce: this.#clientNonce, "digest-uri": service };
    const words = {
      nc: "00000001",
      qop: this.#quality,
      response: this.#computeProof("AUTHENTICATE"),
      charset: "utf-8",
      maxbuf: "65536",
      ...this.#quality === "auth-conf" ? { cipher: "rc4" } : {},
    };
    const parts = [
      ...Object.entries(texts).map(([name, value]) => `${name}="${value.replaceAll(/["\\]/g, "\\$&")}"`),
      ...Object.entries(words).map(([name, value]) => `${name}=${value}`),
    ];
    return new TextEncoder().encode(parts.join(","));
  }

  /** Whether the server's last message proves that it knows the password, too. */
  verifyServerProof(words: Uint8Array): boolean {
    const said = readChallenge(new TextDecoder().decode(words)).get("rspauth") ?? "";
    if (said !== this.#computeProof("")) return false;
    const key = md5(this.#secret);
    this.#sealing = {
      sumKeys: [SIGNING.client, SIGNING.server].map((text) => md5(joinedBytes([key, encodeText(text)]))),
      ciphers: this.#quality !== "auth-conf"
        ? undefined
        : [SEALING.client, SEALING.server].map((text) => new Rc4(md5(joinedBytes([key, encodeText(text)])))),
      numbers: [0, 0],
    };
    return true;
  }

  /** Seals a piece. */
  seal(piece: Uint8Array): Bytes {
    const { sumKeys, ciphers, numbers } = this.#sealing!;
    const tail = sequenceTail(numbers[0]++);
    const summed = joinedBytes([piece, sumOf(sumKeys[0]!, piece, tail)]);
    return joinedBytes([ciphers ? ciphers[0]!.apply(summed) : summed, tail]);
  }

  /**
   * Opens a piece that the server sealed.
   * @throws {MessageError} when it was modified or is out of order.
   */
  open(sealed: Uint8Array): Bytes {
    const { sumKeys, ciphers, numbers } = this.#sealing!;
    const end = sealed.length - TAIL_BYTES;
    if (end < SUM_BYTES) throw new MessageError("a sealed piece is too short");
    const tail = sequenceTail(numbers[1]++);
    const summed = ciphers ? ciphers[1]!.apply(sealed.subarray(0, end)) : sealed.slice(0, end);
    const piece = summed.subarray(0, end - SUM_BYTES);
    const isWhole = timingSafeEqual(sumOf(sumKeys[1]!, piece, tail), summed.subarray(end - SUM_BYTES)) &&
      timingSafeEqual(tail, sealed.subarray(end));
    if (!isWhole) throw new MessageError("an encrypted message does not match its checksum");
    return piece;
  }

  #computeProof(method: string): string {
    const body = this.#quality === "auth" ? "" : `:${"0".repeat(32)}`;
    const asked = md5(`${method}:${this.#login.service}${body}`).toHex();
    const nonce = this.#challenge.get("nonce") ?? "";
    const text = [md5(this.#secret).toHex(), nonce, "00000001", this.#clientNonce, this.#quality, asked].join(":");
    return md5(text).toHex();
  }
}

/** The keys and sequence numbers: first the client's, then the server's. */
interface Sealing {
  readonly sumKeys: readonly Bytes[];
  readonly ciphers: readonly Rc4[] | undefined;
  readonly numbers: [number, number];
}

const SIGNING = {
  client: "Digest session key to client-to-server signing key magic constant",
  server: "Digest session key to server-to-client signing key magic constant",
};
const SEALING = {
  client: "Digest H(A1) to client-to-server sealing key magic constant",
  server: "Digest H(A1) to server-to-client sealing key magic constant",
};

/** Parses a list of `NAME=VALUE` and `NAME="VALUE"`, separated by commas. */
function readChallenge(text: string): Map<string, string> {
  const parts = new Map<string, string>();
  for (let offset = 0; offset < text.length && parts.size < MAX_CHALLENGE_PARTS;) {
    const equals = text.indexOf("=", offset);
    if (equals < 0) break;
    const name = text.slice(offset, equals).replaceAll(",", " ").trim();
    offset = equals + 1;
    let value = "";
    if (text[offset] === '"') {
      for (offset++; offset < text.length && text[offset] !== '"'; offset++) {
        if (text[offset] === "\\") offset++;
        value += text[offset] ?? "";
      }
      offset++;
    } else {
      const comma = text.indexOf(",", offset);
      const end = comma < 0 ? text.length : comma;
      value = text.slice(offset, end).trim();
      offset = end;
    }
    parts.set(name, value);
  }
  return parts;
}

function sequenceTail(number: number): Bytes {
  return Uint8Array.of(...KIND, number >>> 24, number >>> 16, number >>> 8, number);
}

function sumOf(key: Uint8Array, piece: Uint8Array, tail: Uint8Array): Bytes {
  const sum = createHmac("md5", key).update(tail.subarray(KIND.length)).update(piece).digest();
  return new Uint8Array(sum.subarray(0, SUM_BYTES));
}

function md5(bytes: string | Uint8Array): Bytes {
  return new Uint8Array(createHash("md5").update(bytes).digest());
}

function encodeText(text: string): Bytes {
  return new TextEncoder().encode(text);
}
