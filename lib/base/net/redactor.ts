/** Credentials taken out of texts, before anybody reads them. */

const encoder = new TextEncoder();

/** The text that replaces a hidden value. */
const HIDDEN = "***";

/** Shorter values would take half of every text away, characters. */
const LEAST_CHARACTERS = 4;

/** A line of a longer value that is hidden by itself, as the lines of a key are, characters. */
const LEAST_LINE = 16;

/** The texts that look like a credential wherever they stand: a pattern, and its replacement. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // Without a scheme too: an address that is no URL may hold a name and a password all the same.
  [/[^\s/?#@:"'<>]{1,256}:[^\s/?#@"'<>]{1,256}@/g, `${HIDDEN}@`],
  [/\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#@"'<>]+@/gi, `$1${HIDDEN}@`],
  [
    /([?&;]|%3F|%26|\b)(X-Amz-(?:Signature|Credential|Security-Token)|X-Goog-(?:Signature|Credential)|sig|Signature|AWSAccessKeyId|OSSAccessKeyId|security-token|access_token|refresh_token|id_token|client_secret|token|password)(=|%3D)[^&\s"'<>;]+/gi,
    `$1$2$3${HIDDEN}`,
  ],
  [/\b(bearer|basic|negotiate)( )[A-Za-z0-9+/=._~-]+/gi, `$1$2${HIDDEN}`],
  [/\b(AWS4-HMAC-SHA256|SharedKey(?:Lite)?|OSS4?(?:-HMAC-SHA256)?)(\s)[^\r\n]+/g, `$1$2${HIDDEN}`],
  [/-----BEGIN ([A-Z]+ )?PRIVATE KEY-----[^-]+/g, `-----BEGIN PRIVATE KEY-----${HIDDEN}`],
];

/** Knows the secrets of a process, and takes them out of texts. */
export class Redactor {
  readonly #known = new Set<string>();
  #longestFirst: readonly string[] | undefined;

  /** A value that no text shows from now on: as it is, and as URLs, base64 and JSON have it. */
  learn(value: string): void {
    const whole = value.trim();
    for (const text of [value, whole, ...whole.split(/\r?\n/).filter((line) => line.length >= LEAST_LINE)]) {
      if (text.length < LEAST_CHARACTERS) continue;
      const bytes = encoder.encode(text);
      for (
        const form of [
          text,
          encodeURIComponent(text),
          new URLSearchParams({ v: text }).toString().slice(2),
          JSON.stringify(text).slice(1, -1),
          bytes.toBase64(),
          bytes.toBase64({ alphabet: "base64url", omitPadding: true }),
        ]
      ) this.#known.add(form);
    }
    this.#longestFirst = undefined;
  }

  /** The text without what is known, and without what looks like a credential. */
  redact(text: string): string {
    this.#longestFirst ??= [...this.#known].sort((a, b) => b.length - a.length);
    for (const value of this.#longestFirst) text = text.replaceAll(value, HIDDEN);
    for (const [pattern, instead] of PATTERNS) text = text.replace(pattern, instead);
    return text;
  }
}
