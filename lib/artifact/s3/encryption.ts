/** Encryption by the server: with its own keys, those of KMS, or one that only the client has. */
import { parseJson } from "../../bounded_json.ts";
import { StoreError, type Surroundings } from "../driver.ts";
import { secretOf } from "../secret_fields.ts";
import type { S3Fields } from "./settings.ts";

/** The headers of encryption, by what is asked. */
export interface Encryption {
  /** Of requests that write an object. */
  writing(key: string): Promise<Readonly<Record<string, string>>>;
  /** Of requests that read one, and of each part: the customer's key, where there is one. */
  reading(key: string): Promise<Readonly<Record<string, string>>>;
  /** The default encryption of a bucket that is made, as XML; undefined without one. */
  readonly ofBucket: string | undefined;
}

const NOTHING = Promise.resolve({});
const encoder = new TextEncoder();

/** The Argon2id that makes a key of a secret: passes, KiB, lanes, bytes. Argo's objects are read with the same. */
const ARGON2 = { iterations: 1, memorySize: 65_536, parallelism: 4, hashLength: 32 } as const;

/** @throws {StoreError} `final` when the options contradict each other. */
export async function encryptionOf(fields: S3Fields, bucket: string, surroundings: Surroundings): Promise<Encryption> {
  const { encryptionOptions: options } = fields;
  if (!options?.enableEncryption) return { writing: () => NOTHING, reading: () => NOTHING, ofBucket: undefined };
  const { kmsKeyId, kmsEncryptionContext, serverSideCustomerKeySecret } = options;
  if (serverSideCustomerKeySecret && kmsKeyId) {
    throw new StoreError("serverSideCustomerKeySecret and kmsKeyId cannot be set together", "final");
  }
  if (serverSideCustomerKeySecret) {
    if (fields.insecure) throw new StoreError("secure must be set if EncryptOpts.SSECPassword is set", "final");
    const secret = await secretOf(surroundings, serverSideCustomerKeySecret) ?? "";
    const headers = (key: string) => customerKey(secret, bucket + key);
    return { writing: headers, reading: headers, ofBucket: undefined };
  }
  const kind = kmsKeyId ? "aws:kms" : "AES256";
  const writing = Promise.resolve({
    "x-amz-server-side-encryption": kind,
    ...(kmsKeyId ? { "x-amz-server-side-encryption-aws-kms-key-id": kmsKeyId } : {}),
    ...(kmsKeyId && kmsEncryptionContext
      ? { "x-amz-server-side-encryption-context": contextOf(kmsEncryptionContext) }
      : {}),
  });
  const master = kmsKeyId ? `<KMSMasterKeyID>${kmsKeyId.replaceAll(/[<>&]/g, "")}</KMSMasterKeyID>` : "";
  return {
    writing: () => writing,
    reading: () => NOTHING,
    ofBucket: "<ServerSideEncryptionConfiguration><Rule><ApplyServerSideEncryptionByDefault>" +
      `<SSEAlgorithm>${kind}</SSEAlgorithm>${master}` +
      "</ApplyServerSideEncryptionByDefault></Rule></ServerSideEncryptionConfiguration>",
  };
}

function contextOf(text: string): string {
  try {
    return encoder.encode(JSON.stringify(parseJson(text))).toBase64();
  } catch (error) {
    throw new StoreError("s3.encryptionOptions.kmsEncryptionContext is no JSON", "final", undefined, { cause: error });
  }
}

/** The least of a name that a key is derived from, bytes: Argon2id takes no shorter salt. */
const LEAST_SALT_BYTES = 8;

/** The key of one object, derived from the secret and the object's name. */
async function customerKey(secret: string, salt: string): Promise<Record<string, string>> {
  if (encoder.encode(salt).length < LEAST_SALT_BYTES) {
    throw new StoreError(
      `s3: no key can be derived for ${salt}: bucket and key together need ${LEAST_SALT_BYTES} bytes`,
      "final",
    );
  }
  const [{ argon2id }, { createHash }] = await Promise.all([import("hash-wasm"), import("node:crypto")]);
  const key = new Uint8Array(
    await argon2id({ password: secret, salt: encoder.encode(salt), ...ARGON2, outputType: "binary" }),
  );
  return {
    "x-amz-server-side-encryption-customer-algorithm": "AES256",
    "x-amz-server-side-encryption-customer-key": key.toBase64(),
    "x-amz-server-side-encryption-customer-key-md5": createHash("md5").update(key).digest("base64"),
  };
}
