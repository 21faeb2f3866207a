/** PEM: bytes between two lines that say what they are. */
import { decodeBase64, DecodeError, encodeBase64 } from "../go/mod.ts";

/** The content of a PEM text: its label and its bytes. */
export interface PemBlock {
  /** `CERTIFICATE`, `RSA PRIVATE KEY` and the like. */
  readonly label: string;
  readonly bytes: Uint8Array;
}

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----\n([A-Za-z0-9+\/=\s]*)-----END ([A-Z0-9 ]+)-----/;

/** Writes a block, 64 characters a line. */
export function writePem({ label, bytes }: PemBlock): string {
  const lines = encodeBase64(bytes).match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}

/** The first block of a text; undefined where there is none that can be read. */
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
