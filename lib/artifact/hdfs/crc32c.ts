/** CRC-32C (Castagnoli), the sum that HDFS keeps of its blocks; the other one, CRC-32, is `crc32` of `node:zlib`. */

const POLYNOMIAL = 0x82f63b78;

/** Eight tables, by which eight bytes are taken at once. */
const TABLES: readonly Int32Array[] = tables();

function tables(): Int32Array[] {
  const all = Array.from({ length: 8 }, () => new Int32Array(256));
  for (let byte = 0; byte < 256; byte++) {
    let sum = byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? sum >>> 1 ^ POLYNOMIAL : sum >>> 1;
    all[0]![byte] = sum;
  }
  for (let byte = 0; byte < 256; byte++) {
    for (let table = 1; table < 8; table++) {
      const before = all[table - 1]![byte]!;
      all[table]![byte] = before >>> 8 ^ all[0]![before & 255]!;
    }
  }
  return all;
}

/** The sum of bytes. */
export function crc32c(bytes: Uint8Array): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = TABLES as [
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
    Int32Array,
  ];
  let sum = -1;
  let at = 0;
  for (; at + 8 <= bytes.length; at += 8) {
    sum ^= bytes[at]! | bytes[at + 1]! << 8 | bytes[at + 2]! << 16 | bytes[at + 3]! << 24;
    sum = t7[sum & 255]! ^ t6[sum >>> 8 & 255]! ^ t5[sum >>> 16 & 255]! ^ t4[sum >>> 24]! ^
      t3[bytes[at + 4]!]! ^ t2[bytes[at + 5]!]! ^ t1[bytes[at + 6]!]! ^ t0[bytes[at + 7]!]!;
  }
  for (; at < bytes.length; at++) sum = sum >>> 8 ^ t0[(sum ^ bytes[at]!) & 255]!;
  return (sum ^ -1) >>> 0;
}
