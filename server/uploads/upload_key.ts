/** Keys of uploads: `uploads/NAMESPACE/UUID/FILE`. The UUID is signed, so that only the uploader can use the key. */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { Buffer } from "node:buffer";
import type { Claims } from "../gate/caller.ts";
import { CODE, WireError } from "../wire/errors.ts";

/** Half of a UUID is random, the other half is its signature. */
const HALF = 8;
const MAX_NAME_LENGTH = 255;

/** The owner and the name of an uploaded file. */
export interface Upload {
  readonly namespace: string;
  readonly file: string;
  readonly owner: Pick<Claims, "issuer" | "subject">;
}

/** Creates and verifies keys. Servers behind one address must share the secret. */
export class UploadKeys {
  readonly #secret: Uint8Array;

  constructor(secret: Uint8Array) {
    this.#secret = secret;
  }

  /** Returns a new key that cannot be guessed. */
  create(upload: Upload): string {
    const random = randomBytes(HALF);
    // A UUID of version 8, whose bits are application-defined.
    random[6] = random[6]! & 0x0f | 0x80;
    const uuid = Buffer.concat([random, this.#proofOf(random, upload)]).toString("hex")
      .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
    return `uploads/${upload.namespace}/${uuid}/${upload.file}`;
  }

  /** Reports whether a key was created for this caller in this namespace. */
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
 * Returns the name of a file without the folders of the sender's system.
 * @throws {WireError} if the name is invalid.
 */
export function fileNameOf(sent: string): string {
  const name = sent.replaceAll("\\", "/").split("/").filter(Boolean).at(-1) ?? "";
  if (!isFileName(name)) throw new WireError(CODE.invalidArgument, "Invalid filename");
  return name;
}

/** A name becomes a part of a key in a workflow, so it must not contain a template tag. */
function isFileName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !name.includes("{{") && !/[/\\\p{Cc}]/u.test(name) &&
    new TextEncoder().encode(name).length <= MAX_NAME_LENGTH;
}
