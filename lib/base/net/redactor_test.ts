import { assert, assertEquals } from "@std/assert";
import { Redactor } from "./redactor.ts";

Deno.test("Redactor: redacts a secret in plain text and in URL, base64 and JSON encoding", () => {
  const redactor = new Redactor();
  const secret = 'pä$$ "word"/+=';
  redactor.addSecret(`${secret}\n`);
  const encoded = new TextEncoder().encode(secret).toBase64();
  for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret), encoded]) {
    const text = redactor.redact(`refused: ${form}.`);
    assert(!text.includes(form.replaceAll('"', "")), text);
    assert(text.startsWith("refused: ") && text.endsWith("."), text);
  }
});

Deno.test("Redactor: redacts the lines of a key separately", () => {
  const redactor = new Redactor();
  redactor.addSecret("-----BEGIN X-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\n-----END X-----\n");
  assertEquals(redactor.redact("at MIIEvQIBADANBgkqhkiG9w0BAQ:"), "at ***:");
});

Deno.test("Redactor: does not redact values of up to three characters", () => {
  const redactor = new Redactor();
  redactor.addSecret("a");
  redactor.addSecret("");
  assertEquals(redactor.redact("banana"), "banana");
});

for (
  const [title, text, redacted] of [
    ["user and password of a URL", "GET https://joe:s3cr3t@host/a failed", "GET https://***@host/a failed"],
    ["the password of a URL with a colon in it", "git clone ssh://u:a:b@h/r", "git clone ssh://***@h/r"],
    [
      "the signature of a signed URL",
      "/k?X-Amz-Date=1&X-Amz-Signature=abc&x=1",
      "/k?X-Amz-Date=1&X-Amz-Signature=***&x=1",
    ],
    ["a shared access signature", "https://a/b?sv=1&sig=abc%2F", "https://a/b?sv=1&sig=***"],
    ["a signed URL inside another", "u=https%3A%2F%2Fa%3Fsig%3Dabc&x=2", "u=https%3A%2F%2Fa%3Fsig%3D***&x=2"],
    ["a bearer token", "authorization: Bearer ey.J-h_x said", "authorization: Bearer *** said"],
    ["basic authorization", "Authorization: Basic am9lOnB3", "Authorization: Basic ***"],
    [
      "a signature of version 4",
      "Authorization: AWS4-HMAC-SHA256 Credential=a, Signature=b",
      "Authorization: AWS4-HMAC-SHA256 ***",
    ],
    ["nothing in a text without secrets", "no such key: out/1 (404)", "no such key: out/1 (404)"],
  ] as const
) {
  Deno.test(`Redactor: redacts ${title}`, () => assertEquals(new Redactor().redact(text), redacted));
}
