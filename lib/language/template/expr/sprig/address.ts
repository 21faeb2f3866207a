/** IP addresses as bytes. */

/** Returns the 4 or 16 bytes of an IP address; undefined when the text is not an IP address. */
export function parseAddress(text: string): Uint8Array | undefined {
  return text.includes(":") ? parseV6(text) : parseV4(text);
}

function parseV4(text: string): Uint8Array | undefined {
  const parts = text.split(".");
  const isAddress = parts.length === 4 && parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
  return isAddress ? Uint8Array.from(parts, Number) : undefined;
}

function parseV6(text: string): Uint8Array | undefined {
  const halves = text.split("::");
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map(groups);
  if (head === undefined || (halves.length === 2 && tail === undefined)) return undefined;
  const missing = 16 - head.length - (tail?.length ?? 0);
  if (halves.length === 2 ? missing < 2 : missing !== 0) return undefined;
  return Uint8Array.from([...head, ...Array(missing).fill(0), ...(tail ?? [])]);
}

/** Returns the bytes of groups of four hex digits. The last group may be an IPv4 address. */
function groups(text: string): number[] | undefined {
  if (text === "") return [];
  const parts = text.split(":");
  const bytes: number[] = [];
  for (const [index, part] of parts.entries()) {
    const older = index === parts.length - 1 ? parseV4(part) : undefined;
    if (older) bytes.push(...older);
    else if (/^[0-9a-fA-F]{1,4}$/.test(part)) bytes.push(parseInt(part, 16) >> 8, parseInt(part, 16) & 0xff);
    else return undefined;
  }
  return bytes;
}
