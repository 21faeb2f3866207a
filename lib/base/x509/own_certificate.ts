/** The certificate that a server makes for itself at its start, where nobody gave it one: no client can know it. */
import { makeCertificate } from "./certificate.ts";
import { writePem } from "./pem.ts";
import { makeEcKey, privateKeyPem } from "./private_key.ts";

/** PEM texts. */
export interface KeyAndCertificate {
  readonly cert: string;
  readonly key: string;
}

const DAYS = 365;

/** A new key on P-256, and a certificate for `localhost` that it signed itself; valid for a year from `now`. */
export function ownCertificate(commonName: string, now: Date): KeyAndCertificate {
  const key = makeEcKey();
  const names = { commonName, addresses: [], dnsNames: ["localhost"] };
  const bytes = makeCertificate({ ...names, days: DAYS, isAuthority: false, key }, now);
  if (!bytes) throw new TypeError("no certificate could be made for a key of our own");
  return { cert: writePem({ label: "CERTIFICATE", bytes }), key: privateKeyPem(key) };
}
