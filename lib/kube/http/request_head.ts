/** The first lines of a request. */

/** The parts of a request that its first lines are made of. */
export interface RequestHead {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  /** `Host: …`. */
  readonly host: string;
  /** Names in lower case; a name may be there several times. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Bytes of the body; undefined for none. */
  readonly length: number | undefined;
}

/** @throws {TypeError} when a part would end its line; its value is not told. */
export function requestHead({ method, target, host, headers, length }: RequestHead): string {
  if (!/^[A-Z]+$/.test(method)) throw new TypeError(`${JSON.stringify(method)} is no method of HTTP`);
  if (!/^\/[!-~]*$/.test(target)) throw new TypeError("The path of a request has characters that must be escaped");
  let text = `${method} ${target} HTTP/1.1\r\nhost: ${host}\r\n`;
  if (length !== undefined) text += `content-length: ${length}\r\n`;
  for (const [name, value] of headers) {
    // deno-lint-ignore no-control-regex -- these are what must not be in a header
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || /[\0-\x08\x0a-\x1f\x7f]/.test(value)) {
      throw new TypeError(`The header ${JSON.stringify(name)} has characters that no header can have`);
    }
    text += `${name}: ${value}\r\n`;
  }
  return `${text}\r\n`;
}
