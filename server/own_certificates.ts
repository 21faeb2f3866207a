/**
 * The server's self-signed certificate, used if no other is configured. It is created on first use and renewed in time.
 */
import { X509Certificate } from "node:crypto";
import { type KeyAndCertificate, ownCertificate } from "@tiphys/base/x509";

/** The time before its expiry at which the certificate is replaced. */
const BEFORE_END_MILLIS = 30 * 24 * 3_600_000;

/** Returns a function that returns the current certificate. */
export function ownCertificates(now: () => Date): () => KeyAndCertificate {
  const make = () => {
    const made = ownCertificate("ArgoProj", now());
    return { made, until: Date.parse(new X509Certificate(made.cert).validTo) - BEFORE_END_MILLIS };
  };
  let current: ReturnType<typeof make> | undefined;
  return () => {
    if (current === undefined || now().getTime() >= current.until) current = make();
    return current.made;
  };
}
