/** Creates and signs X.509 certificates as sprig does. */
import { sha256 } from "@noble/hashes/sha2.js";
import {
  bits,
  boolean,
  DerError,
  integer,
  octets,
  oid,
  readElements,
  readSequence,
  readUnsigned,
  sequence,
  set,
  tagged,
  text,
  time,
} from "./der.ts";
import { toBytes } from "../go/mod.ts";
import { type PrivateKey, publicKeyInfo, signerOf } from "./private_key.ts";

/** The content of a new certificate. */
export interface CertificateRequest {
  readonly commonName: string;
  /** IP addresses, 4 or 16 bytes each. */
  readonly addresses: readonly Uint8Array[];
  readonly dnsNames: readonly string[];
  readonly days: number;
  readonly isAuthority: boolean;
  readonly key: PrivateKey;
}

/** The signer of a certificate: its name, the key identifier in its own certificate, and its key. */
export interface Issuer {
  readonly name: Uint8Array;
  readonly keyId?: Uint8Array;
  readonly key: PrivateKey;
}

const OID = {
  commonName: "2.5.4.3",
  subjectKeyId: "2.5.29.14",
  keyUsage: "2.5.29.15",
  alternativeNames: "2.5.29.17",
  constraints: "2.5.29.19",
  authorityKeyId: "2.5.29.35",
  extendedUsage: "2.5.29.37",
  serverAuth: "1.3.6.1.5.5.7.3.1",
  clientAuth: "1.3.6.1.5.5.7.3.2",
} as const;

const DAY = 24 * 60 * 60 * 1000;

/**
 * Returns the DER of a certificate, signed by the issuer or, without one, by itself. Undefined for a kind of key that
 * cannot sign or be certified. `now` is the start of its validity.
 */
export function makeCertificate(request: CertificateRequest, now: Date, issuer?: Issuer): Uint8Array | undefined {
  const subject = nameOf(request.commonName);
  const { name, keyId, key } = issuer ?? { name: subject, keyId: undefined, key: request.key };
  const publicKey = publicKeyInfo(request.key);
  const signer = signerOf(key);
  if (publicKey === undefined || signer === undefined) return undefined;
  const isSelfSigned = isSame(name, subject);
  const body = sequence(
    tagged(0, integer(2n), true),
    // A serial number is positive.
    integer(readUnsigned(crypto.getRandomValues(new Uint8Array(16))) + 1n),
    signer.algorithm,
    name,
    sequence(time(now), time(new Date(now.getTime() + request.days * DAY))),
    subject,
    publicKey.info,
    tagged(3, sequence(...extensions(request, publicKey.bytes, isSelfSigned ? undefined : keyId)), true),
  );
  return sequence(body, signer.algorithm, bits(signer.sign(body)));
}

/**
 * Reads the subject of an issuer's certificate.
 * @throws {DerError}
 */
export function readIssuer(der: Uint8Array): Omit<Issuer, "key"> {
  const [body] = readSequence(der);
  if (body === undefined) throw new DerError("x509: malformed certificate");
  const fields = readElements(body.body);
  // Version 1 omits the version number.
  const first = fields[0]?.tag === 0xa0 ? 5 : 4;
  const name = fields[first]?.whole;
  if (name === undefined) throw new DerError("x509: malformed certificate");
  return { name, keyId: subjectKeyId(fields.find(({ tag }) => tag === 0xa3)?.body) };
}

function subjectKeyId(extensions: Uint8Array | undefined): Uint8Array | undefined {
  if (extensions === undefined) return undefined;
  const wanted = oid(OID.subjectKeyId);
  for (const { body } of readSequence(extensions)) {
    const parts = readElements(body);
    const [name, value] = [parts[0], parts.at(-1)];
    if (name && value && isSame(name.whole, wanted)) return readElements(value.body)[0]?.body;
  }
  return undefined;
}

function nameOf(commonName: string): Uint8Array {
  return commonName === "" ? sequence() : sequence(set(sequence(oid(OID.commonName), text(commonName))));
}

function extensions(request: CertificateRequest, publicKey: Uint8Array, issuerKeyId?: Uint8Array): Uint8Array[] {
  const { isAuthority, addresses, dnsNames, commonName } = request;
  // Digital signature and key encipherment; an authority also signs certificates.
  const usage = isAuthority ? bits(Uint8Array.of(0xa4), 2) : bits(Uint8Array.of(0xa0), 5);
  const found = [
    extension(OID.keyUsage, usage, true),
    extension(OID.extendedUsage, sequence(oid(OID.serverAuth), oid(OID.clientAuth))),
    extension(OID.constraints, isAuthority ? sequence(boolean(true)) : sequence(), true),
  ];
  if (isAuthority) found.push(extension(OID.subjectKeyId, octets(sha256(publicKey).slice(0, 20))));
  if (issuerKeyId) found.push(extension(OID.authorityKeyId, sequence(tagged(0, issuerKeyId, false))));
  if (addresses.length + dnsNames.length > 0) {
    const names = [
      ...dnsNames.map((name) => tagged(2, toBytes(name), false)),
      ...addresses.map((address) => tagged(7, address, false)),
    ];
    // Critical if these are the only names.
    found.push(extension(OID.alternativeNames, sequence(...names), commonName === ""));
  }
  return found;
}

function extension(name: string, value: Uint8Array, isCritical = false): Uint8Array {
  return sequence(oid(name), ...(isCritical ? [boolean(true)] : []), octets(value));
}

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}
