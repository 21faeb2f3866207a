/** Formats the request line and headers of a request. */

/** The head of a request. */
export interface RequestHead {
  readonly method: string;
  /** Path and query, encoded. */
  readonly target: string;
  /** The server's origin before the target, for requests through a proxy of plain HTTP. */
  readonly origin?: string | undefined;
  /** `Host: …`. */
  readonly host: string;
  /** Names may repeat. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Bytes of the body; undefined without one. */
  readonly length: number | undefined;
}

/**
 * @throws {TypeError} for an invalid part, such as one with a line break. The message never contains the value of a
 * header.
 */
export function requestHead({ method, target, origin = "", host, headers, length }: RequestHead): string {
  if (!/^[A-Z]+$/.test(method)) throw new TypeError(`${JSON.stringify(method)} is not a valid HTTP method`);
  if (!/^\/[!-~]*$/.test(target)) throw new TypeError("The path of the request has unescaped characters");
  if (!/^[!-~]+$/.test(host)) throw new TypeError(`${JSON.stringify(host)} is not a valid host`);
  let text = `${method} ${origin}${target} HTTP/1.1\r\nHost: ${host}\r\n`;
  if (length !== undefined) text += `Content-Length: ${length}\r\n`;
  for (const [name, value] of headers) {
    // deno-lint-ignore no-control-regex -- these are what must not be in a header
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || /[\0-\x08\x0a-\x1f\x7f]/.test(value)) {
      throw new TypeError(`The header ${JSON.stringify(name)} has invalid characters`);
    }
    text += `${name}: ${value}\r\n`;
  }
  return `${text}\r\n`;
}
