/** Keys of uploads: `uploads/NAMESPACE/UUID/FILE`, whose UUID proves who uploaded the file, so that nobody takes another's. */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { Buffer } from "node:buffer";
import type { Claims } from "../gate/caller.ts";
import { CODE, WireError } from "../wire/errors.ts";

/** Half of a UUID is random, the other half proves it. */
const HALF = 8;
const LONGEST_NAME = 255;

/** The owner and the name of an uploaded file. */
export interface Upload {
  readonly namespace: string;
  readonly file: string;
  readonly owner: Pick<Claims, "issuer" | "subject">;
}

/** Makes and checks keys. Servers that stand behind one address need one secret. */
export class UploadKeys {
  readonly #secret: Uint8Array;

  constructor(secret: Uint8Array) {
    this.#secret = secret;
  }

  /** A key that nobody could have guessed. */
  make(upload: Upload): string {
    const random = randomBytes(HALF);
    // A UUID of the eighth version: its bits are its maker's own.
    random[6] = random[6]! & 0x0f | 0x80;
    const uuid = Buffer.concat([random, this.#proofOf(random, upload)]).toString("hex")
      .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
    return `uploads/${upload.namespace}/${uuid}/${upload.file}`;
  }

  /** Whether a key is one that was made for this caller, in this namespace. */
  isOwn(key: string, upload: Omit<Upload, "file">): boolean {
    const [folder, namespace, uuid = "", file = "", ...rest] = key.split("/");
    if (folder !== "uploads" || namespace !== upload.namespace || rest.length > 0) return false;
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(uuid) || !isFileName(file)) return false;
    const bytes = Buffer.from(uuid.replaceAll("-", ""), "hex");
    return timingSafeEqual(bytes.subarray(HALF), this.#proofOf(bytes.subarray(0, HALF), { ...upload, file }));
  }

  #proofOf(random: Uint8Array, { namespace, file, owner }: Upload): Uint8Array {
    const proven = JSON.stringify([namespace, file, owner.issuer ?? "", owner.subject]);
    const proof = createHmac("sha256", this.#secret).update(random).update(proven).digest().subarray(0, HALF);
    proof[0] = proof[0]! & 0x3f | 0x80;
    return proof;
  }
}

/**
 * The name of a file as its sender's system has it, without its folders.
 * @throws {WireError} for what is no name.
 */
export function fileNameOf(sent: string): string {
  const name = sent.replaceAll("\\", "/").split("/").filter(Boolean).at(-1) ?? "";
  if (!isFileName(name)) throw new WireError(CODE.invalidArgument, "Invalid filename");
  return name;
}

/** A name becomes the end of a key, and stands in a workflow: there no part of it may be a tag. */
function isFileName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !name.includes("{{") && !/[/\\\p{Cc}]/u.test(name) &&
    new TextEncoder().encode(name).length <= LONGEST_NAME;
}
