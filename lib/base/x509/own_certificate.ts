/** The self-signed certificate that a server without a configured one creates at its start. */
import { makeCertificate } from "./certificate.ts";
import { writePem } from "./pem.ts";
import { makeEcKey, privateKeyPem } from "./private_key.ts";

/** PEM texts. */
export interface KeyAndCertificate {
  readonly cert: string;
  readonly key: string;
}

const DAYS = 365;

/** Creates a P-256 key and a self-signed certificate for `localhost`, valid for a year from `now`. */
export function ownCertificate(commonName: string, now: Date): KeyAndCertificate {
  const key = makeEcKey();
  const names = { commonName, addresses: [], dnsNames: ["localhost"] };
  const bytes = makeCertificate({ ...names, days: DAYS, isAuthority: false, key }, now);
  if (!bytes) throw new TypeError("cannot create a certificate for a P-256 key");
  return { cert: writePem({ label: "CERTIFICATE", bytes }), key: privateKeyPem(key) };
}
