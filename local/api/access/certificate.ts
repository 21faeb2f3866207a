/**
 * The server's certificate: kubectl and every client-go program keep their tokens to themselves unless the server
 * speaks TLS, on loopback too. So the server makes a certificate authority of its own, and one certificate for loopback.
 */
import { makeCertificate, makeEcKey, privateKeyPem, readIssuer, writePem } from "@tiphys/base/x509";

/** PEM texts of one server. */
export interface ServerCertificate {
  /** The certificate that clients must trust, as PEM. */
  readonly caCert: string;
  readonly cert: string;
  readonly key: string;
}

/** Ten years. */
const DAYS = 3652;
const LOOPBACK = Uint8Array.of(127, 0, 0, 1);
const NAMES = ["localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"];

/** Makes a new authority and a certificate for 127.0.0.1; the authority's own key is not kept. */
export function makeServerCertificate(now: Date): ServerCertificate {
  // An hour back: clocks of clients may be a little behind.
  const begin = new Date(now.getTime() - 3_600_000);
  const usual = { addresses: [], dnsNames: [], days: DAYS };
  const authority = makeEcKey();
  const ca = makeCertificate({ ...usual, commonName: "tiphys-ca", isAuthority: true, key: authority }, begin)!;
  const key = makeEcKey();
  const cert = makeCertificate(
    { commonName: "tiphys-api", addresses: [LOOPBACK], dnsNames: NAMES, days: DAYS, isAuthority: false, key },
    begin,
    { ...readIssuer(ca), key: authority },
  )!;
  return {
    caCert: writePem({ label: "CERTIFICATE", bytes: ca }),
    cert: writePem({ label: "CERTIFICATE", bytes: cert }),
    key: privateKeyPem(key),
  };
}
