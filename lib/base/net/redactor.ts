/** Removes credentials from texts. */

const encoder = new TextEncoder();

/** The text that replaces a hidden value. */
const HIDDEN = "***";

/** Minimum length of a secret to redact: shorter ones would match everywhere. */
const MIN_SECRET_LENGTH = 4;

/** Minimum length of a line that is redacted by itself, for multi-line secrets such as keys. */
const MIN_LINE_LENGTH = 16;

/** Patterns of credentials, with their replacement. */
const PATTERNS: readonly (readonly [RegExp, string])[] = [
  // Also without a scheme: an address that is not a valid URL may contain a user and password too.
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

/** Redacts the secrets of a process in texts. */
export class Redactor {
  readonly #secrets = new Set<string>();
  #longestFirst: readonly string[] | undefined;

  /** Adds a secret, which is redacted in plain text and in URL, base64 and JSON encoding. */
  addSecret(value: string): void {
    const whole = value.trim();
    for (const text of [value, whole, ...whole.split(/\r?\n/).filter((line) => line.length >= MIN_LINE_LENGTH)]) {
      if (text.length < MIN_SECRET_LENGTH) continue;
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
      ) this.#secrets.add(form);
    }
    this.#longestFirst = undefined;
  }

  /** Returns the text without known secrets and patterns of credentials. */
  redact(text: string): string {
    this.#longestFirst ??= [...this.#secrets].sort((a, b) => b.length - a.length);
    for (const value of this.#longestFirst) text = text.replaceAll(value, HIDDEN);
    for (const [pattern, instead] of PATTERNS) text = text.replace(pattern, instead);
    return text;
  }
}
