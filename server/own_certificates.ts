/** The server's own certificate, where nobody gave it one: made when it is first shown, and anew before it ends. */
import { X509Certificate } from "node:crypto";
import { type KeyAndCertificate, ownCertificate } from "@tiphys/base/x509";

/** The time before its end at which another takes its place. */
const BEFORE_END_MILLIS = 30 * 24 * 3_600_000;

/** A function whose answer is the certificate that is shown now. */
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
