/**
 * The server's certificate: kubectl and every client-go program keep their tokens to themselves unless the server
 * speaks TLS, on loopback too. So the server makes a certificate authority of its own, and one certificate for loopback.
 */

/** PEM texts of one server. */
export interface ServerCertificate {
  /** What clients must trust. */
  readonly caCert: string;
  readonly cert: string;
  readonly key: string;
}

const YEARS = 10;
const names = ["localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"];
const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

/** Makes a new authority and a certificate for 127.0.0.1; the authority's own key is not kept. */
export async function makeServerCertificate(now: Date): Promise<ServerCertificate> {
  const authority = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const server = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  const issuer = "tiphys-ca";
  const sign = (subject: string, key: CryptoKey, extensions: Bytes) =>
    certificate({ issuer, subject, key, extensions, now }, authority.privateKey);
  return {
    caCert: pem("CERTIFICATE", await sign(issuer, authority.publicKey, caExtensions())),
    cert: pem("CERTIFICATE", await sign("tiphys-api", server.publicKey, serverExtensions())),
    key: pem("PRIVATE KEY", new Uint8Array(await crypto.subtle.exportKey("pkcs8", server.privateKey))),
  };
}

type Bytes = Uint8Array<ArrayBuffer>;

interface Subject {
  readonly issuer: string;
  readonly subject: string;
  readonly key: CryptoKey;
  readonly extensions: Bytes;
  readonly now: Date;
}

// X.509 in DER: each value is a tag, a length and its content.

const TAG = { boolean: 1, integer: 2, bits: 3, octets: 4, oid: 6, utf8: 0x0c, time: 0x18, sequence: 0x30, set: 0x31 };
const OID = {
  ecdsaWithSha256: [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02],
  commonName: [0x55, 0x04, 0x03],
  basicConstraints: [0x55, 0x1d, 0x13],
  keyUsage: [0x55, 0x1d, 0x0f],
  extendedKeyUsage: [0x55, 0x1d, 0x25],
  alternativeNames: [0x55, 0x1d, 0x11],
  serverAuth: [0x2b, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01],
};

async function certificate(subject: Subject, signer: CryptoKey): Promise<Bytes> {
  const signatureAlgorithm = der(TAG.sequence, der(TAG.oid, OID.ecdsaWithSha256));
  const end = new Date(subject.now);
  end.setUTCFullYear(end.getUTCFullYear() + YEARS);
  // An hour back: clocks of clients may be a little behind.
  const begin = new Date(subject.now.getTime() - 3_600_000);
  const content = der(
    TAG.sequence,
    der(0xa0, der(TAG.integer, [2])),
    der(TAG.integer, [1, ...crypto.getRandomValues(new Uint8Array(8))]),
    signatureAlgorithm,
    distinguishedName(subject.issuer),
    der(TAG.sequence, time(begin), time(end)),
    distinguishedName(subject.subject),
    new Uint8Array(await crypto.subtle.exportKey("spki", subject.key)),
    der(0xa3, subject.extensions),
  );
  const signature = new Uint8Array(await crypto.subtle.sign(algorithm, signer, content));
  return der(TAG.sequence, content, signatureAlgorithm, der(TAG.bits, [0], signatureValue(signature)));
}

function caExtensions(): Bytes {
  return der(
    TAG.sequence,
    extension(OID.basicConstraints, der(TAG.sequence, der(TAG.boolean, [0xff]))),
    extension(OID.keyUsage, der(TAG.bits, [1, 0b0000_0110])), // signs certificates and revocations
  );
}

function serverExtensions(): Bytes {
  const text = new TextEncoder();
  const alternatives = [der(0x87, [127, 0, 0, 1]), ...names.map((name) => der(0x82, text.encode(name)))];
  return der(
    TAG.sequence,
    extension(OID.basicConstraints, der(TAG.sequence)),
    extension(OID.keyUsage, der(TAG.bits, [7, 0b1000_0000])), // signs
    extension(OID.extendedKeyUsage, der(TAG.sequence, der(TAG.oid, OID.serverAuth))),
    extension(OID.alternativeNames, der(TAG.sequence, ...alternatives)),
  );
}

function extension(oid: readonly number[], value: Bytes): Bytes {
  return der(TAG.sequence, der(TAG.oid, oid), der(TAG.octets, value));
}

function distinguishedName(name: string): Bytes {
  const attribute = der(TAG.sequence, der(TAG.oid, OID.commonName), der(TAG.utf8, new TextEncoder().encode(name)));
  return der(TAG.sequence, der(TAG.set, attribute));
}

function time(date: Date): Bytes {
  const text = date.toISOString().replace(/[-:T]|\.\d+/g, "");
  return der(TAG.time, new TextEncoder().encode(text));
}

/** WebCrypto gives both numbers of a signature side by side. */
function signatureValue(raw: Uint8Array): Bytes {
  return der(TAG.sequence, positive(raw.subarray(0, 32)), positive(raw.subarray(32)));
}

function positive(bytes: Uint8Array): Bytes {
  const first = bytes.findIndex((byte) => byte !== 0);
  const digits = first < 0 ? new Uint8Array(1) : bytes.subarray(first);
  return der(TAG.integer, digits[0]! >= 0x80 ? [0] : [], digits);
}

function der(tag: number, ...parts: (readonly number[] | Uint8Array)[]): Bytes {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const lengthBytes: number[] = [];
  for (let rest = length; rest > 0; rest >>= 8) lengthBytes.unshift(rest & 0xff);
  const header = length < 0x80 ? [tag, length] : [tag, 0x80 | lengthBytes.length, ...lengthBytes];
  const bytes = new Uint8Array(header.length + length);
  bytes.set(header);
  let at = header.length;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

function pem(label: string, bytes: Bytes): string {
  const lines = bytes.toBase64().match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}
