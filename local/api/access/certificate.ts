/**
 * The server's certificate. kubectl and all client-go programs send tokens only over TLS, even on loopback, so the
 * server creates a certificate authority and one certificate for loopback.
 */
import { makeCertificate, makeEcKey, privateKeyPem, readIssuer, writePem } from "@tiphys/base/x509";

/** The certificates of a server in PEM format. */
export interface ServerCertificate {
  /** The certificate authority that clients must trust. */
  readonly caCert: string;
  readonly cert: string;
  readonly key: string;
}

/** Ten years. */
const DAYS = 3652;
const LOOPBACK = Uint8Array.of(127, 0, 0, 1);
const NAMES = ["localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"];

/** Creates a new authority and a certificate for 127.0.0.1. The authority's key is discarded. */
export function makeServerCertificate(now: Date): ServerCertificate {
  // Valid from one hour ago, in case the clock of a client is slightly behind.
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
