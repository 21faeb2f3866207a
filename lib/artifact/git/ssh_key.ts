/** The private key of ssh: one that needs no passphrase, as nobody is there who could tell it. */
import { StoreError } from "../driver.ts";

/** @throws {StoreError} `final` when a text is no private key, or one with a passphrase. */
export function checkKey(text: string): void {
  const [, kind] = /-----BEGIN ([A-Z0-9 ]{0,40})PRIVATE KEY-----/.exec(text) ?? [];
  if (kind === undefined) {
    throw new StoreError("git: sshPrivateKeySecret holds no private key in the format of PEM or OpenSSH", "final");
  }
  const lines = text.split("\n").filter((line) => !line.startsWith("-----")).join("\n");
  if (kind.includes("ENCRYPTED") || lines.includes("ENCRYPTED") || kind.includes("OPENSSH") && !isPlain(lines)) {
    throw new StoreError("git: the key of sshPrivateKeySecret has a passphrase; one without is needed", "final");
  }
}

/** An OpenSSH key begins with a magic word, and with the name of its cipher: `none` when it has no passphrase. */
function isPlain(base64: string): boolean {
  try {
    const bytes = atob(base64.replaceAll(/\s/g, ""));
    return bytes.startsWith("openssh-key-v1\0\0\0\0\x04none");
  } catch {
    return false;
  }
}
