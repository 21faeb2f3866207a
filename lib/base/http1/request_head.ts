/** The first lines of a request. */

/** The parts of a request that its first lines are made of. */
export interface RequestHead {
  readonly method: string;
  /** Path and query, as they are sent. */
  readonly target: string;
  /** The server's origin in front of the target, which a proxy of plain HTTP is asked for. */
  readonly origin?: string | undefined;
  /** `Host: …`. */
  readonly host: string;
  /** A name may be there several times. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Bytes of the body; undefined for none. */
  readonly length: number | undefined;
}

/** @throws {TypeError} when a part would end its line; the value of a header is not told. */
export function requestHead({ method, target, origin = "", host, headers, length }: RequestHead): string {
  if (!/^[A-Z]+$/.test(method)) throw new TypeError(`${JSON.stringify(method)} is no method of HTTP`);
  if (!/^\/[!-~]*$/.test(target)) throw new TypeError("The path of a request has characters that must be escaped");
  if (!/^[!-~]+$/.test(host)) throw new TypeError(`${JSON.stringify(host)} is no name of a host`);
  let text = `${method} ${origin}${target} HTTP/1.1\r\nHost: ${host}\r\n`;
  if (length !== undefined) text += `Content-Length: ${length}\r\n`;
  for (const [name, value] of headers) {
    // deno-lint-ignore no-control-regex -- these are what must not be in a header
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || /[\0-\x08\x0a-\x1f\x7f]/.test(value)) {
      throw new TypeError(`The header ${JSON.stringify(name)} has characters that no header can have`);
    }
    text += `${name}: ${value}\r\n`;
  }
  return `${text}\r\n`;
}
