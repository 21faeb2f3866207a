/**
 * Authenticated connections to data nodes: SASL with the token of a block or a key of the cluster, followed by the
 * negotiated protection, such as checksums or encryption of all data.
 */
import { createCipheriv, createDecipheriv } from "node:crypto";
import { joinedBytes } from "@tiphys/base/joined_bytes";
import { StoreError } from "@tiphys/model/artifact";
import { DigestMd5, QUALITIES, type Quality } from "./digest_md5.ts";
import type { Block, Place, Protect } from "./rpc_blocks.ts";
import { Message, message, prefixFourByteLength, prefixVarintLength } from "./rpc_messages.ts";
import { createSealedWire } from "./sealed_conn.ts";
import type { Wire } from "./wire.ts";

/** The magic number before SASL, in place of the protocol version. */
const MAGIC = Uint8Array.of(0xde, 0xad, 0xbe, 0xef);

const STATUS = { success: 0, unknownKey: 1 };

/** AES in counter mode, the negotiated cipher for encryption. */
const AES_CTR = 2;

/** The service and host of logins at data nodes. */
const SERVICE = "hdfs/0";

/** Ports below need a privilege, which counts as proof of the server's identity. Servers there do not use SASL. */
const FIRST_UNPRIVILEGED_PORT = 1024;

/** Maximum size of a sealed piece, and of a login message, from a data node. */
const MAX_PIECE_BYTES = 17 << 20;
const MAX_MESSAGE_BYTES = 1 << 20;

/** Size of the pieces that we send, in bytes. */
const PIECE_BYTES = 64 * 1024;

/** The values of `dataTransferProtection` and the corresponding SASL qualities. */
export const PROTECTIONS: ReadonlyMap<string, Quality> = new Map([
  ["authentication", "auth"],
  ["integrity", "auth-int"],
  ["privacy", "auth-conf"],
]);

/** The required protection of transfers. */
export interface TransferProtection {
  /** The key of a cluster that encrypts all transfers: the `DataEncryptionKeyProto` of the name node. */
  readonly key: Message | undefined;
  /** The minimum protection. */
  readonly minimum: Quality | undefined;
}

/** Returns a function that protects connections to data nodes. */
export function protectTransfers({ key, minimum }: TransferProtection): Protect {
  return async (wire, block, location) => {
    if (!key && location.node.port < FIRST_UNPRIVILEGED_PORT) return requireUnprotectedAllowed(wire, location, minimum);
    const nonce = crypto.getRandomValues(new Uint8Array(24)).toBase64();
    const login = new DigestMd5({ ...(key ? userOfKey(key) : userOfBlock(block)), service: SERVICE }, nonce);
    await wire.write(joinedBytes([MAGIC, prefixVarintLength(message([[1, STATUS.success]]))]));
    const challenge = payloadOf(wire, await readResponse(wire));
    const response = wire.parseOrFail(() =>
      login.respond(challenge, (offered) => chooseQuality(wire, offered, minimum))
    );
    // If data is encrypted at all, AES is used if the data node supports it.
    const cipher = login.quality === "auth-conf" ? message([[1, AES_CTR]]) : undefined;
    await wire.write(prefixVarintLength(message([[1, STATUS.success], [2, response], [4, cipher]])));
    const last = await readResponse(wire);
    if (!login.verifyServerProof(payloadOf(wire, last))) {
      throw wire.protocolError("its response does not prove that it has the block's token");
    }
    if (login.quality === "auth") return wire;
    const agreed = last.message(4);
    return agreed?.number(1) === AES_CTR ? encryptWire(wire, agreed, login) : sealWire(wire, login);
  };
}

function requireUnprotectedAllowed(wire: Wire, { node }: Place, least: Quality | undefined): Wire {
  if (least === undefined || least === "auth") return wire;
  wire[Symbol.dispose]();
  throw new StoreError(
    `hdfs: the data node at the privileged port ${node.port} does not protect data, which dataTransferProtection requires`,
    "final",
  );
}

/** Returns the weakest sufficient protection. The data node offers none that is weaker than its own settings. */
function chooseQuality(wire: Wire, offered: readonly Quality[], least: Quality = "auth"): Quality {
  const quality = offered.find((candidate) => QUALITIES.indexOf(candidate) >= QUALITIES.indexOf(least));
  if (quality) return quality;
  wire[Symbol.dispose]();
  const words = (qualities: readonly Quality[]) =>
    [...PROTECTIONS].filter(([, quality]) => qualities.includes(quality)).map(([word]) => word).join(", ") || "nothing";
  throw new StoreError(
    `${wire.what} offers the protection ${words(offered)}, and dataTransferProtection requires ${words([least])}`,
    "final",
  );
}

function userOfBlock({ token }: Block) {
  const words = new Message(token);
  return { user: base64Of(words.bytes(1)), password: base64Of(words.bytes(2)) };
}

function userOfKey(key: Message) {
  // The number of the key may be negative.
  const user = `${(key.number(1) ?? 0) | 0} ${key.text(2) ?? ""} ${base64Of(key.bytes(3))}`;
  return { user, password: base64Of(key.bytes(4)) };
}

function base64Of(bytes: Uint8Array = new Uint8Array()): string {
  return bytes.toBase64();
}

async function readResponse(wire: Wire): Promise<Message> {
  const bytes = await wire.readDelimited(MAX_MESSAGE_BYTES);
  const said = wire.parseOrFail(() => new Message(bytes));
  const status = said.number(1);
  if (status === STATUS.success) return said;
  wire[Symbol.dispose]();
  const why = status === STATUS.unknownKey
    ? "it does not know the key of the cluster yet"
    : said.text(3)?.split("\n")[0] ?? `status ${status}`;
  throw new StoreError(`${wire.what} refused the login: ${why}`, "transient");
}

function payloadOf(wire: Wire, response: Message): Uint8Array {
  const payload = response.bytes(2);
  if (!payload) throw wire.protocolError("unexpected step in the login");
  return payload;
}

/** Returns a connection of length-prefixed pieces, sealed with the login. */
function sealWire(wire: Wire, login: DigestMd5): Wire {
  return createSealedWire(wire, {
    mostBytes: PIECE_BYTES,
    send: (piece) => wire.write(prefixFourByteLength(login.seal(piece))),
    async receive() {
      const sealed = await wire.readCounted(MAX_PIECE_BYTES);
      return wire.parseOrFail(() => login.open(sealed));
    },
  });
}

/** Returns an encrypted connection with one stream per direction. Its keys are received in sealed form. */
function encryptWire(wire: Wire, agreed: Message, login: DigestMd5): Wire {
  const [ownKey, theirKey] = wire.parseOrFail(() =>
    [2, 4].map((field) => login.open(agreed.bytes(field) ?? new Uint8Array()))
  );
  const [ownStart, theirStart] = [3, 5].map((field) => agreed.bytes(field) ?? new Uint8Array());
  for (const [key, start] of [[ownKey, ownStart], [theirKey, theirStart]]) {
    if (![16, 24, 32].includes(key!.length) || start!.length !== 16) {
      throw wire.protocolError("its keys have another size");
    }
  }
  const own = createCipheriv(`aes-${ownKey!.length * 8}-ctr`, ownKey!, ownStart!);
  const theirs = createDecipheriv(`aes-${theirKey!.length * 8}-ctr`, theirKey!, theirStart!);
  return createSealedWire(wire, {
    mostBytes: PIECE_BYTES,
    send: (piece) => wire.write(own.update(piece)),
    receive: async () => theirs.update(await wire.readAvailable()),
  });
}
