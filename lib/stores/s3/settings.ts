/** Parses and checks the settings of an S3 location. */
import { type DriverEnvironment, type Place, type SecretField, StoreError } from "@tiphys/model/artifact";

/** The fields of `s3` except the key, as in the CRDs. */
export interface S3Fields {
  readonly endpoint?: string;
  readonly bucket?: string;
  readonly region?: string;
  readonly insecure?: boolean;
  readonly accessKeySecret?: SecretField;
  readonly secretKeySecret?: SecretField;
  readonly sessionTokenSecret?: SecretField;
  readonly roleARN?: string;
  readonly useSDKCreds?: boolean;
  readonly createBucketIfNotPresent?: { readonly objectLocking?: boolean };
  readonly caSecret?: SecretField;
  readonly addressingStyle?: string;
  readonly encryptionOptions?: {
    readonly enableEncryption?: boolean;
    readonly kmsKeyId?: string;
    readonly kmsEncryptionContext?: string;
    readonly serverSideCustomerKeySecret?: SecretField;
  };
}

/** The address of requests to a bucket. */
export interface BucketAddress {
  readonly url: URL;
  readonly bucket: string;
  /** The path before the key: `/bucket`, or empty if the host contains the bucket. */
  readonly base: string;
  /** The configured region, or that in the server's name. */
  readonly region: string;
}

const AWS = /(^|\.)amazonaws\.com(\.cn)?$/;
const VIRTUAL_HOSTED = /(^|\.)(amazonaws\.com(\.cn)?|googleapis\.com|aliyuncs\.com)$/;

/** The minimum and maximum part size of S3, in MiB. */
const MIN_PART_MIB = 5;
const MAX_PART_MIB = 5120;

/**
 * Returns the limits of uploads, with Argo's variables `ARTIFACT_S3_UPLOAD_THREADS` (concurrent parts) and
 * `ARTIFACT_S3_UPLOAD_PART_SIZE_MIB` applied. Invalid values are logged and ignored.
 */
export function uploadLimits({ limits, env, debug }: DriverEnvironment): DriverEnvironment["limits"] {
  const numberOf = (name: string, min: number, max: number): number | undefined => {
    const text = env(name);
    if (!text) return undefined;
    const value = Number(text);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    debug?.(`${name} is ignored: expected a number from ${min} to ${max}, got ${JSON.stringify(text)}`);
    return undefined;
  };
  const parts = numberOf("ARTIFACT_S3_UPLOAD_THREADS", 1, 64) ?? limits.parts;
  const size = numberOf("ARTIFACT_S3_UPLOAD_PART_SIZE_MIB", MIN_PART_MIB, MAX_PART_MIB);
  return { ...limits, parts, ...(size === undefined ? {} : { partBytes: size * 1024 * 1024 }) };
}

/** Returns the fields of a place. */
export function fieldsOf(location: Place): S3Fields {
  return location.settings as S3Fields;
}

/** @throws {StoreError} `final`, with the name of the field, for an invalid endpoint or bucket. */
export function addressOf(fields: S3Fields): BucketAddress {
  const { endpoint = "", bucket = "", insecure = false, addressingStyle = "" } = fields;
  const scheme = insecure ? "http" : "https";
  const said = /^([a-z]+):\/\//i.exec(endpoint)?.[1]?.toLowerCase();
  if (said !== undefined && said !== scheme) {
    throw settingError("endpoint", `${JSON.stringify(endpoint)} says ${said}, insecure: ${insecure} says ${scheme}`);
  }
  const host = endpoint.replace(/^[a-z]+:\/\//i, "").replace(/\/$/, "");
  if (host === "" || /[/?#@\s]/.test(host) || !URL.canParse(`${scheme}://${host}/`)) {
    throw settingError("endpoint", `${JSON.stringify(endpoint)} is not an endpoint: expected host or host:port`);
  }
  if (bucket === "" || !/^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(bucket)) {
    throw settingError("bucket", `${JSON.stringify(bucket)} is not a valid bucket name`);
  }
  const { hostname } = new URL(`${scheme}://${host}/`);
  const virtual = addressingStyle === "virtual-hosted" ||
    (addressingStyle !== "path" && VIRTUAL_HOSTED.test(hostname) && !(bucket.includes(".") && !insecure));
  const url = new URL(`${scheme}://${virtual ? `${bucket}.` : ""}${host}/`);
  return { url, bucket, base: virtual ? "" : `/${bucket}`, region: fields.region || regionOf(hostname) };
}

function regionOf(hostname: string): string {
  const [, region] = AWS.test(hostname)
    ? /(?:^|\.)s3[.-](?:dualstack\.)?([a-z0-9-]+)\.amazonaws/.exec(hostname) ?? []
    : [];
  return region ?? "us-east-1";
}

function settingError(field: string, words: string): StoreError {
  return new StoreError(`s3.${field}: ${words}`, "final");
}
