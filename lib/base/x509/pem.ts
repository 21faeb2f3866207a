/** PEM encoding. */
import { decodeBase64, DecodeError, encodeBase64 } from "../go/mod.ts";

/** A PEM block. */
export interface PemBlock {
  /** For example `CERTIFICATE` or `RSA PRIVATE KEY`. */
  readonly label: string;
  readonly bytes: Uint8Array;
}

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----\n([A-Za-z0-9+\/=\s]*)-----END ([A-Z0-9 ]+)-----/;

/** Encodes a block with 64 characters per line. */
export function writePem({ label, bytes }: PemBlock): string {
  const lines = encodeBase64(bytes).match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}

/** Decodes the first block of a text; undefined without a valid one. */
export function readPem(text: string): PemBlock | undefined {
  const [, label, base64 = "", endLabel] = BLOCK.exec(text.replaceAll("\r\n", "\n")) ?? [];
  if (label === undefined || label !== endLabel) return undefined;
  try {
    return { label, bytes: decodeBase64(base64.replace(/\s/g, "")) };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return undefined;
  }
}
