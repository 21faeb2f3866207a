/** sprig's functions that make keys and certificates. */
import {
  ANY_SLICE,
  decodeBase64,
  DecodeError,
  formatValue,
  fromBytes,
  GoObject,
  type GoType,
  listItems,
  STRING,
  type Value,
} from "@tiphys/base/go";
import {
  type CertificateRequest,
  DerError,
  type Issuer,
  KeyError,
  makeCertificate,
  makeDsaKey,
  makeEcKey,
  makeEd25519Key,
  makeRsaKey,
  type PrivateKey,
  privateKeyPem,
  readIssuer,
  readPem,
  readPrivateKey,
  writePem,
} from "@tiphys/base/x509";
import { fail } from "../failure.ts";
import { checkWholeTime, countedAs } from "../meter.ts";
import { parseAddress } from "./address.ts";
import { define, type Functions } from "./define.ts";

/** The type of a certificate, which in Go is a struct of two PEM texts. */
const CERTIFICATE: GoType = { kind: "struct", text: "sprig.certificate", defined: true };
const TYPES = { list: ANY_SLICE, certificate: CERTIFICATE };

function certificateValue(cert: string, key: string): GoObject {
  const fields = new Map([["Cert", cert], ["Key", key]]);
  return new GoObject(CERTIFICATE, `{${cert} ${key}}`, new Map(), fields);
}

/** Milliseconds that a meter counts for making a key: that of a certificate, and one of `genPrivateKey`. */
const KEY_MILLIS = 200;
const LARGE_KEY_MILLIS = 800;

function genPrivateKey(kind: string): string {
  switch (kind) {
    case "":
    case "rsa":
      return privateKeyPem(countedAs(LARGE_KEY_MILLIS, () => makeRsaKey(4096, checkWholeTime)));
    case "dsa":
      return privateKeyPem(countedAs(LARGE_KEY_MILLIS, () => makeDsaKey(checkWholeTime)));
    case "ecdsa":
      return privateKeyPem(makeEcKey());
    case "ed25519":
      return privateKeyPem(makeEd25519Key());
    default:
      return `Unknown type ${kind}`;
  }
}

/** The common parameters of all certificates. Validity is in days. */
interface CertificateOptions {
  readonly name: string;
  readonly addresses?: Value;
  readonly dnsNames?: Value;
  readonly days: bigint;
  readonly isAuthority?: boolean;
}

/** One day as a Go duration, which has at most 292 years and wraps around beyond that. */
const DAY_NANOS = 86_400_000_000_000n;

function issue(
  { name, addresses, dnsNames, days, isAuthority = false }: CertificateOptions,
  key: PrivateKey,
  issuer?: Issuer,
): Value {
  const request: CertificateRequest = {
    commonName: name,
    addresses: texts(addresses, "error parsing ip").map((text) =>
      parseAddress(text) ?? fail(`error parsing ip: ${text}`)
    ),
    dnsNames: texts(dnsNames, "error processing alternate dns name"),
    days: Number(BigInt.asIntN(64, days * DAY_NANOS)) / Number(DAY_NANOS),
    isAuthority,
    key,
  };
  const der = makeCertificate(request, new Date(), issuer) ??
    fail("error creating certificate: x509: only RSA, ECDSA and Ed25519 keys supported");
  return certificateValue(writePem({ label: "CERTIFICATE", bytes: der }), privateKeyPem(key));
}

function texts(list: Value | undefined, subject: string): string[] {
  return (listItems(list ?? null) ?? []).map((item) =>
    typeof item === "string" ? item : fail(`${subject}: ${formatValue(item)} is not a string`)
  );
}

function newKey(): PrivateKey {
  return countedAs(KEY_MILLIS, () => makeRsaKey(2048, checkWholeTime));
}

function parseKey(pem: string, subject: string): PrivateKey {
  try {
    return readPrivateKey(pem);
  } catch (error) {
    if (error instanceof KeyError) fail(`${subject}: ${error.message}`);
    throw error;
  }
}

function checkCertificate(pem: string, subject: string): Omit<Issuer, "key"> {
  const block = readPem(pem) ?? fail("unable to decode certificate");
  try {
    return readIssuer(block.bytes);
  } catch (error) {
    if (error instanceof DerError) fail(`error parsing certificate: ${subject}: ${error.message}`);
    throw error;
  }
}

/** Returns the issuer of a certificate. Nil is a certificate of empty texts. */
function issuerOf(authority: Value): Issuer {
  if (!(authority instanceof GoObject)) fail("unable to decode certificate");
  const { Cert = "", Key = "" } = Object.fromEntries(authority.fields) as Record<string, string>;
  return { ...checkCertificate(Cert, "decodedSignerCert.Bytes"), key: parseKey(Key, "error parsing private key") };
}

function buildCustomCert(base64Cert: string, base64Key: string): Value {
  const decoded = (base64: string, subject: string) => {
    try {
      return fromBytes(decodeBase64(base64));
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      return fail(`unable to decode base64 ${subject}`);
    }
  };
  const cert = decoded(base64Cert, "certificate");
  const key = decoded(base64Key, "private key");
  checkCertificate(cert, "decodedCert.Bytes");
  parseKey(key, "error parsing private key");
  return certificateValue(cert, key);
}

function declare(parameters: string, call: (...args: never[]) => Value) {
  return define(parameters, CERTIFICATE, call, { fails: true, types: TYPES });
}

export const CERTIFICATES: Functions = {
  genPrivateKey: define("string", STRING, genPrivateKey),
  buildCustomCert: declare("string string", buildCustomCert),
  genCA: declare("string int", (name: string, days: bigint) => issue({ name, days, isAuthority: true }, newKey())),
  genCAWithKey: declare(
    "string int string",
    (name: string, days: bigint, pem: string) =>
      issue({ name, days, isAuthority: true }, parseKey(pem, "parsing private key")),
  ),
  genSelfSignedCert: declare(
    "string list list int",
    (name: string, addresses: Value, dnsNames: Value, days: bigint) =>
      issue({ name, addresses, dnsNames, days }, newKey()),
  ),
  genSelfSignedCertWithKey: declare(
    "string list list int string",
    (name: string, addresses: Value, dnsNames: Value, days: bigint, pem: string) =>
      issue({ name, addresses, dnsNames, days }, parseKey(pem, "parsing private key")),
  ),
  genSignedCert: declare(
    "string list list int certificate",
    (name: string, addresses: Value, dnsNames: Value, days: bigint, authority: Value) =>
      issue({ name, addresses, dnsNames, days }, newKey(), issuerOf(authority)),
  ),
  genSignedCertWithKey: declare(
    "string list list int certificate string",
    (name: string, addresses: Value, dnsNames: Value, days: bigint, authority: Value, pem: string) =>
      issue({ name, addresses, dnsNames, days }, parseKey(pem, "parsing private key"), issuerOf(authority)),
  ),
};
