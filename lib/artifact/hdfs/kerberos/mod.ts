/**
 * A client of Kerberos 5 (RFC 4120), small and bounded: the tickets that HDFS is shown, and the bytes that are sealed by
 * them. Loaded only where an artifact names Kerberos; no native library.
 *
 * - `keytab.ts`, `credential_cache.ts`, `krb5_conf.ts`: the files of Kerberos, of which `big_endian.ts` reads the numbers;
 * - `key.ts`: keys and what is encrypted by them, on `cipher_text_stealing.ts` and `n_fold.ts`;
 * - `messages.ts`: what is asked and answered, in the notation of `asn1.ts`; `kdc.ts`: who is asked;
 * - `tickets.ts`: the tickets of a client; `kerberos_error.ts`: why there are none;
 * - `security_context.ts`: what a client and a service share.
 *
 * @module
 */
export { kerberosError } from "./kerberos_error.ts";
export { type Krb5Conf, readKrb5Conf } from "./krb5_conf.ts";
export { type Principal, readPrincipal } from "./principal.ts";
export { MOST_OVERHEAD, SecurityContext } from "./security_context.ts";
export { Tickets } from "./tickets.ts";
