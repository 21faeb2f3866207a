/** Converts errors of connections to messages, and decides whether a retry may succeed. */
import { NetError } from "./net.ts";

/** Reasons for rejected certificates: a pattern for the error of Deno or `node:tls`, and the message. */
const CERTIFICATES: readonly (readonly [RegExp, (host: string) => string])[] = [
  [
    /UnknownIssuer|UNABLE_TO_|SELF_SIGNED|unable to (get|verify)|self.signed/i,
    () => "its certificate is signed by an authority that is not trusted here",
  ],
  [/\bExpired|CERT_HAS_EXPIRED|has expired/i, () => "its certificate has expired"],
  [/NotValidYet|CERT_NOT_YET_VALID/i, () => "its certificate is not valid yet"],
  [/NotValidForName|not valid for name|ALTNAME|does not match/i, (host) => `its certificate is not for ${host}`],
  [/\bRevoked|CERT_REVOKED/i, () => "its certificate was revoked"],
  [/CaUsedAsEndEntity/, () => "it presents a CA certificate as its own"],
  [
    /CertificateRequired|certificate required|BadCertificate|bad certificate|UnknownCA|CertificateUnknown|unknown ca/i,
    () => "it does not accept our certificate",
  ],
];

/** Errors that mean that the server does not use TLS. */
const NO_TLS = /corrupt message|InvalidContentType|wrong version number|WRONG_VERSION_NUMBER|packet length/i;

/** TLS handshake errors that mean that the connection was lost. */
const CONNECTION_LOST = /reset|broken pipe|unexpected eof|UnexpectedEof|close_notify|ECONNRESET|EPIPE|socket hang up/i;

/** Returns the error of a failed read or write. */
export function readFailure(server: string, error: unknown): NetError {
  if (error instanceof NetError) return error;
  const said = messageOf(error);
  if (tlsTrouble(said)) return tlsFailure(server, error);
  return new NetError(`${server}: ${lowerFirst(said)}`, true, { cause: error });
}

/** Returns the error of a failed connection attempt. */
export function connectFailure(server: string, host: string, error: unknown): NetError {
  if (error instanceof NetError) return error;
  const said = messageOf(error);
  if (/lookup address|ENOTFOUND|EAI_AGAIN|name or service|no such host|resolve/i.test(said)) {
    return new NetError(`${server}: the name ${host} cannot be resolved (${said})`, true, { cause: error });
  }
  if (error instanceof Deno.errors.NotCapable || error instanceof Deno.errors.PermissionDenied) {
    return new NetError(`${server}: ${lowerFirst(said)}`, false, { cause: error });
  }
  return new NetError(`${server}: ${lowerFirst(said)}`, true, { cause: error });
}

/** Returns the error of a failed TLS handshake. `host` is the name that the certificate must have. */
export function tlsFailure(server: string, error: unknown, host = server.replace(/^https?:\/\//, "")): NetError {
  if (error instanceof NetError) return error;
  const said = messageOf(error);
  for (const [pattern, words] of CERTIFICATES) {
    if (pattern.test(said)) {
      return new NetError(`${server} is not trusted: ${words(host)} (${said})`, false, { cause: error });
    }
  }
  if (NO_TLS.test(said)) {
    return new NetError(`${server} does not speak TLS: is this the port of plain HTTP? (${said})`, false, {
      cause: error,
    });
  }
  const passes = CONNECTION_LOST.test(said) || error instanceof Deno.errors.ConnectionReset;
  return new NetError(`${server}: the TLS handshake failed: ${lowerFirst(said)}`, passes, { cause: error });
}

function tlsTrouble(message: string): boolean {
  return /certificate|received fatal alert|InvalidContentType|corrupt message/i.test(message);
}

/** Returns the message of an error without the OS error number, or its code if the message is empty. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as { code?: unknown };
  const said = error.message.replace(/ \(os error \d+\)$/, "");
  return typeof code === "string" && code.startsWith("CERT") ? `${said}, ${code}` : said || String(code ?? error.name);
}

function lowerFirst(text: string): string {
  return /^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
