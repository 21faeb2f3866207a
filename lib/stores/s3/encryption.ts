/** Server-side encryption: with the store's keys, KMS, or a customer's key. */
import { parseJson } from "@tiphys/base/bounded_json";
import { type DriverEnvironment, secretOf, StoreError } from "@tiphys/model/artifact";
import type { S3Fields } from "./settings.ts";

/** The encryption headers by request. */
export interface Encryption {
  /** Returns headers for requests that write an object. */
  writeHeaders(key: string): Promise<Readonly<Record<string, string>>>;
  /** Returns headers for requests that read an object, and for each part: the customer's key, if any. */
  readHeaders(key: string): Promise<Readonly<Record<string, string>>>;
  /** The default encryption of a created bucket, as XML. */
  readonly ofBucket: string | undefined;
}

const NOTHING = Promise.resolve({});
const encoder = new TextEncoder();

/**
 * Argon2id parameters for deriving a key from a secret: passes, KiB, lanes, bytes. Equal to Argo's, so that its objects
 * can be read.
 */
const ARGON2 = { iterations: 1, memorySize: 65_536, parallelism: 4, hashLength: 32 } as const;

/** @throws {StoreError} `final` when the options contradict each other. */
export async function encryptionOf(
  fields: S3Fields,
  bucket: string,
  environment: DriverEnvironment,
): Promise<Encryption> {
  const { encryptionOptions: options } = fields;
  if (!options?.enableEncryption) {
    return {
      writeHeaders: () => NOTHING,
      readHeaders: () => NOTHING,
      ofBucket: undefined,
    };
  }
  const { kmsKeyId, kmsEncryptionContext, serverSideCustomerKeySecret } = options;
  if (serverSideCustomerKeySecret && kmsKeyId) {
    throw new StoreError("serverSideCustomerKeySecret and kmsKeyId cannot be set together", "final");
  }
  if (serverSideCustomerKeySecret) {
    if (fields.insecure) throw new StoreError("secure must be set if EncryptOpts.SSECPassword is set", "final");
    const secret = await secretOf(environment, serverSideCustomerKeySecret) ?? "";
    const headers = (key: string) => customerKey(secret, bucket + key);
    return { writeHeaders: headers, readHeaders: headers, ofBucket: undefined };
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
    writeHeaders: () => writing,
    readHeaders: () => NOTHING,
    ofBucket: "<ServerSideEncryptionConfiguration><Rule><ApplyServerSideEncryptionByDefault>" +
      `<SSEAlgorithm>${kind}</SSEAlgorithm>${master}` +
      "</ApplyServerSideEncryptionByDefault></Rule></ServerSideEncryptionConfiguration>",
  };
}

function contextOf(text: string): string {
  try {
    return encoder.encode(JSON.stringify(parseJson(text))).toBase64();
  } catch (error) {
    throw new StoreError("s3.encryptionOptions.kmsEncryptionContext is not valid JSON", "final", undefined, {
      cause: error,
    });
  }
}

/** Minimum length of a salt in bytes, required by Argon2id. */
const MIN_SALT_BYTES = 8;

/** Derives the key of one object from the secret and the object's name. */
async function customerKey(secret: string, salt: string): Promise<Record<string, string>> {
  if (encoder.encode(salt).length < MIN_SALT_BYTES) {
    throw new StoreError(
      `s3: no key can be derived for ${salt}: bucket and key together need ${MIN_SALT_BYTES} bytes`,
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
