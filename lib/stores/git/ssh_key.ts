/** Checks that a private ssh key needs no passphrase, because nobody could enter it. */
import { StoreError } from "@tiphys/model/artifact";

/** @throws {StoreError} `final` when a text is not a private key, or has a passphrase. */
export function checkKey(text: string): void {
  const [, kind] = /-----BEGIN ([A-Z0-9 ]{0,40})PRIVATE KEY-----/.exec(text) ?? [];
  if (kind === undefined) {
    throw new StoreError("git: sshPrivateKeySecret does not contain a private key in PEM or OpenSSH format", "final");
  }
  const lines = text.split("\n").filter((line) => !line.startsWith("-----")).join("\n");
  if (kind.includes("ENCRYPTED") || lines.includes("ENCRYPTED") || kind.includes("OPENSSH") && !isUnencrypted(lines)) {
    throw new StoreError(
      "git: the key of sshPrivateKeySecret has a passphrase: use a key without a passphrase",
      "final",
    );
  }
}

/** Whether an OpenSSH key has no passphrase: it begins with a magic word and the name of its cipher, `none`. */
function isUnencrypted(base64: string): boolean {
  try {
    const bytes = atob(base64.replaceAll(/\s/g, ""));
    return bytes.startsWith("openssh-key-v1\0\0\0\0\x04none");
  } catch {
    return false;
  }
}
