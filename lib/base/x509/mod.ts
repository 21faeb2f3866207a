/**
 * Keys and certificates: made, signed, written as DER and PEM, and read as far as it takes to sign by them. The fields and
 * their order are those of Go's `crypto/x509`, as sprig's functions give them; no library for X.509.
 *
 * - `der.ts`, `pem.ts`: the two forms in which all is written;
 * - `private_key.ts`: keys (RSA, curves, Ed25519, DSA) and their signatures, by `@noble/curves` and `micro-rsa-dsa-dh`;
 * - `certificate.ts`: certificates, and what is read of one that signs others;
 * - `own_certificate.ts`: the certificate that a server makes for itself.
 *
 * @module
 */
export { type CertificateRequest, type Issuer, makeCertificate, readIssuer } from "./certificate.ts";
export { DerError } from "./der.ts";
export { type KeyAndCertificate, ownCertificate } from "./own_certificate.ts";
export { readPem, writePem } from "./pem.ts";
export {
  KeyError,
  makeDsaKey,
  makeEcKey,
  makeEd25519Key,
  makeRsaKey,
  type PrivateKey,
  privateKeyPem,
  readPrivateKey,
} from "./private_key.ts";
