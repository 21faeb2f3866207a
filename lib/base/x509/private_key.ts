/** Private keys: creation, PEM encoding and decoding, and signatures. */
import { UserError } from "../user_error.ts";
import { ed25519 } from "@noble/curves/ed25519.js";
import { p256, p384, p521 } from "@noble/curves/nist.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { genDSAParams } from "micro-rsa-dsa-dh/dsa.js";
import { IFCPrimes, PKCS1_SHA256 } from "micro-rsa-dsa-dh/rsa.js";
import { invert, pow } from "micro-rsa-dsa-dh/utils.js";
import {
  bits,
  DerError,
  integer,
  none,
  octets,
  oid,
  readElements,
  readInteger,
  readSequence,
  readUnsigned,
  sequence,
  tagged,
  unsigned,
} from "./der.ts";
import { readPem, writePem } from "./pem.ts";

/** A private key with its public parts. */
export type PrivateKey =
  | { readonly kind: "rsa"; readonly n: bigint; readonly d: bigint; readonly p: bigint; readonly q: bigint }
  | { readonly kind: "ecdsa"; readonly curve: CurveName; readonly secret: Uint8Array }
  | { readonly kind: "ed25519"; readonly seed: Uint8Array }
  | {
    readonly kind: "dsa";
    readonly p: bigint;
    readonly q: bigint;
    readonly g: bigint;
    readonly y: bigint;
    readonly x: bigint;
  };

/** The error of a text without a valid private key. */
export class KeyError extends UserError {
  override readonly name = "KeyError";
}

type CurveName = keyof typeof CURVES;

const CURVES = {
  p256: { curve: p256, oid: "1.2.840.10045.3.1.7", signature: "1.2.840.10045.4.3.2" },
  p384: { curve: p384, oid: "1.3.132.0.34", signature: "1.2.840.10045.4.3.3" },
  p521: { curve: p521, oid: "1.3.132.0.35", signature: "1.2.840.10045.4.3.4" },
} as const;

const OID = {
  rsa: "1.2.840.113549.1.1.1",
  rsaSha256: "1.2.840.113549.1.1.11",
  ec: "1.2.840.10045.2.1",
  ed25519: "1.3.101.112",
} as const;

const EXPONENT = 65_537n;

/** Maximum bits of a decoded key: Go's limit for keys of certificates. */
const MAX_RSA_BITS = 8_192;
const MAX_DSA_BITS = 3_072;

/**
 * Called before each candidate for a prime; the search takes seconds.
 * @throws To end the search, throw an error.
 */
export type OnCandidate = () => void;

/** Returns random bytes for the prime search, which requests them once per candidate. */
function candidates(onCandidate: OnCandidate) {
  return (count = 32) => {
    onCandidate();
    return crypto.getRandomValues(new Uint8Array(count));
  };
}

/** Creates an RSA key of `size` bits. Takes seconds for 4096. */
export function makeRsaKey(size: 2048 | 4096, onCandidate: OnCandidate): PrivateKey {
  const { p, q } = IFCPrimes(size, EXPONENT, undefined, undefined, candidates(onCandidate));
  return { kind: "rsa", n: p * q, d: invert(EXPONENT, (p - 1n) * (q - 1n)), p, q };
}

/** Creates a P-256 key. */
export function makeEcKey(): PrivateKey {
  return { kind: "ecdsa", curve: "p256", secret: p256.utils.randomSecretKey() };
}

export function makeEd25519Key(): PrivateKey {
  return { kind: "ed25519", seed: ed25519.utils.randomSecretKey() };
}

/** Creates a DSA key of 2048 and 256 bits. Takes seconds. */
export function makeDsaKey(onCandidate: OnCandidate): PrivateKey {
  const { p, q, g } = genDSAParams(2048, 256, sha256, 1, undefined, candidates(onCandidate));
  // More random bits than needed, so that the remainders are uniformly distributed.
  const x = readUnsigned(crypto.getRandomValues(new Uint8Array(48))) % (q - 1n) + 1n;
  return { kind: "dsa", p, q, g, y: pow(g, x, p), x };
}

/** Returns the PEM text of a key in the usual format of its kind. */
export function privateKeyPem(key: PrivateKey): string {
  switch (key.kind) {
    case "rsa": {
      const { n, d, p, q } = key;
      const numbers = [0n, n, EXPONENT, d, p, q, d % (p - 1n), d % (q - 1n), invert(q, p)];
      return writePem({ label: "RSA PRIVATE KEY", bytes: sequence(...numbers.map(integer)) });
    }
    case "ecdsa": {
      const { curve, oid: name } = CURVES[key.curve];
      const open = tagged(1, bits(curve.getPublicKey(key.secret, false)), true);
      const bytes = sequence(integer(1n), octets(key.secret), tagged(0, oid(name), true), open);
      return writePem({ label: "EC PRIVATE KEY", bytes });
    }
    case "ed25519": {
      const bytes = sequence(integer(0n), sequence(oid(OID.ed25519)), octets(octets(key.seed)));
      return writePem({ label: "PRIVATE KEY", bytes });
    }
    case "dsa": {
      const numbers = [0n, key.p, key.q, key.g, key.y, key.x];
      return writePem({ label: "DSA PRIVATE KEY", bytes: sequence(...numbers.map(integer)) });
    }
  }
}

/**
 * Decodes the PEM text of a key.
 * @throws {KeyError}
 */
export function readPrivateKey(pem: string): PrivateKey {
  const block = readPem(pem);
  if (block === undefined) throw new KeyError("no PEM data in input");
  const { label, bytes } = block;
  if (label === "PRIVATE KEY") return readAs("decoding PEM as PKCS#8", () => readPkcs8(bytes));
  if (!label.endsWith(" PRIVATE KEY")) throw new KeyError(`no private key data in PEM block of type ${label}`);
  const kind = label.slice(0, -" PRIVATE KEY".length);
  const what = `parsing ${kind} private key from PEM`;
  if (kind === "RSA") return readAs(what, () => readRsa(bytes));
  if (kind === "EC") return readAs(what, () => readEc(bytes));
  if (kind === "DSA") return readAs(what, () => readDsa(bytes));
  throw new KeyError(`invalid private key type ${kind}`);
}

function readAs(subject: string, read: () => PrivateKey): PrivateKey {
  try {
    return read();
  } catch (error) {
    if (error instanceof DerError) throw new KeyError(`${subject}: ${error.message}`);
    throw error;
  }
}

function readPkcs8(bytes: Uint8Array): PrivateKey {
  const [, algorithm, secret] = readSequence(bytes);
  if (algorithm === undefined || secret === undefined) throw new DerError("asn1: structure error: too short");
  const [name, parameters] = readElements(algorithm.body);
  if (isOid(name?.whole, OID.rsa)) return readRsa(secret.body);
  if (isOid(name?.whole, OID.ec)) return readEc(secret.body, parameters?.whole);
  if (isOid(name?.whole, OID.ed25519)) {
    const seed = readElements(secret.body)[0]?.body;
    if (seed === undefined || seed.length !== ed25519.lengths.seed) {
      throw new DerError("x509: invalid Ed25519 private key length");
    }
    return { kind: "ed25519", seed };
  }
  throw new DerError("x509: PKCS#8 wrapping contained private key with unknown algorithm");
}

function readRsa(bytes: Uint8Array): PrivateKey {
  const [, n, e, d, p, q] = readSequence(bytes);
  if (readInteger(e) !== EXPONENT) throw new DerError(`x509: only the public exponent ${EXPONENT} is supported`);
  const key = { kind: "rsa", n: readInteger(n), d: readInteger(d), p: readInteger(p), q: readInteger(q) } as const;
  refuseLarger("RSA", key.n, MAX_RSA_BITS);
  if ([key.d, key.p, key.q].some((number) => number <= 0n || number >= key.n)) {
    throw new DerError("x509: invalid RSA private key");
  }
  return key;
}

function readEc(bytes: Uint8Array, outerCurve?: Uint8Array): PrivateKey {
  const [, secret, ...rest] = readSequence(bytes);
  const name = rest.find(({ tag }) => tag === 0xa0)?.body ?? outerCurve;
  const curve = (Object.keys(CURVES) as CurveName[]).find((curve) => isOid(name, CURVES[curve].oid));
  if (curve === undefined || secret === undefined) throw new DerError("x509: unknown elliptic curve");
  const size = CURVES[curve].curve.lengths.secretKey!;
  return { kind: "ecdsa", curve, secret: unsigned(readUnsigned(secret.body), size) };
}

function readDsa(bytes: Uint8Array): PrivateKey {
  const [, p, q, g, y, x] = readSequence(bytes).map(readInteger);
  if (p === undefined || q === undefined || g === undefined || y === undefined || x === undefined) {
    throw new DerError("asn1: structure error: too short");
  }
  refuseLarger("DSA", p, MAX_DSA_BITS);
  if ([q, g, y, x].some((number) => number <= 0n || number >= p)) throw new DerError("x509: invalid DSA private key");
  return { kind: "dsa", p, q, g, y, x };
}

function refuseLarger(kind: string, modulus: bigint, max: number): void {
  const size = modulus.toString(16).length * 4;
  if (modulus <= 0n) throw new DerError(`x509: invalid ${kind} private key`);
  if (size > max) throw new DerError(`x509: ${kind} keys may have ${max} bits, this one has ${size}`);
}

function isOid(encoded: Uint8Array | undefined, dotted: string): boolean {
  const wanted = oid(dotted);
  return encoded?.length === wanted.length && wanted.every((byte, index) => byte === encoded[index]);
}

/** Returns the public key as in certificates; undefined for an unsupported kind. */
export function publicKeyInfo(key: PrivateKey): { readonly info: Uint8Array; readonly bytes: Uint8Array } | undefined {
  switch (key.kind) {
    case "rsa": {
      const bytes = sequence(integer(key.n), integer(EXPONENT));
      return { info: sequence(sequence(oid(OID.rsa), none()), bits(bytes)), bytes };
    }
    case "ecdsa": {
      const bytes = CURVES[key.curve].curve.getPublicKey(key.secret, false);
      return { info: sequence(sequence(oid(OID.ec), oid(CURVES[key.curve].oid)), bits(bytes)), bytes };
    }
    case "ed25519": {
      const bytes = ed25519.getPublicKey(key.seed);
      return { info: sequence(sequence(oid(OID.ed25519)), bits(bytes)), bytes };
    }
    case "dsa":
      return undefined;
  }
}

/**
 * Returns the signer of a key: the DER of its algorithm identifier, and the function that signs. Undefined for a kind
 * of key that cannot sign certificates.
 */
export function signerOf(
  key: PrivateKey,
): { readonly algorithm: Uint8Array; sign(bytes: Uint8Array): Uint8Array } | undefined {
  switch (key.kind) {
    case "rsa":
      return {
        algorithm: sequence(oid(OID.rsaSha256), none()),
        sign: (bytes) => PKCS1_SHA256.sign({ n: key.n, d: key.d }, bytes),
      };
    case "ecdsa": {
      const { curve, signature } = CURVES[key.curve];
      return {
        algorithm: sequence(oid(signature)),
        sign: (bytes) => curve.sign(bytes, key.secret, { format: "der", lowS: false }),
      };
    }
    case "ed25519":
      return { algorithm: sequence(oid(OID.ed25519)), sign: (bytes) => ed25519.sign(bytes, key.seed) };
    case "dsa":
      return undefined;
  }
}
