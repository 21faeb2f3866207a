/**
 * A small client of Kerberos 5 (RFC 4120) with limits: gets tickets for HDFS, and seals data. Loaded only for artifacts
 * with Kerberos fields. Uses no native library.
 *
 * - `keytab.ts`, `credential_cache.ts`, `krb5_conf.ts`: the files of Kerberos, parsed with `big_endian.ts`;
 * - `key.ts`: keys and encryption, with `cipher_text_stealing.ts` and `n_fold.ts`;
 * - `messages.ts`: requests and responses, encoded with `asn1.ts`; `kdc.ts`: the connection to servers;
 * - `tickets.ts`: the tickets of a client; `kerberos_error.ts`: their errors;
 * - `security_context.ts`: the protected session of a client and a service.
 *
 * @module
 */
export { kerberosError } from "./kerberos_error.ts";
export { type Krb5Conf, readKrb5Conf } from "./krb5_conf.ts";
export { type Principal, readPrincipal } from "./principal.ts";
export { MAX_OVERHEAD_BYTES, SecurityContext } from "./security_context.ts";
export { Tickets } from "./tickets.ts";
