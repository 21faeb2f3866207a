/**
 * Creates and signs keys and certificates, writes them as DER and PEM, and reads the parts that are needed for signing.
 * The fields and their order are those of Go's `crypto/x509` in sprig's functions. It is not a general X.509 library.
 *
 * - `der.ts`, `pem.ts`: the encodings;
 * - `private_key.ts`: keys (RSA, elliptic curves, Ed25519, DSA) and signatures, with `@noble/curves` and
 *   `micro-rsa-dsa-dh`;
 * - `certificate.ts`: creates certificates and reads those of issuers;
 * - `own_certificate.ts`: the self-signed certificate of a server.
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
