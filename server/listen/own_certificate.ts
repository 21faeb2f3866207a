/** A certificate of the server's own, for where nobody gave it one: new at each start, as Argo's. */
import { makeCertificate } from "../../lib/template/expr/sprig/certificates/certificate.ts";
import { writePem } from "../../lib/template/expr/sprig/certificates/pem.ts";
import { makeEcKey, privateKeyPem } from "../../lib/template/expr/sprig/certificates/private_key.ts";
import type { Certificate } from "./listen.ts";

const DAYS = 365;

export function ownCertificate(now: Date): Certificate {
  const key = makeEcKey();
  const names = { commonName: "ArgoProj", addresses: [], dnsNames: ["localhost"] };
  const bytes = makeCertificate({ ...names, days: DAYS, isAuthority: false, key }, now);
  if (!bytes) throw new TypeError("no certificate could be made for a key of our own");
  return { cert: writePem({ label: "CERTIFICATE", bytes }), key: privateKeyPem(key) };
}
