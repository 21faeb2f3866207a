/** CRC-32 and CRC-32C without Node's modules. For large content, `crc32` of `node:zlib` is faster. */

/** Returns the checksum of bytes. `before` is the checksum of the preceding bytes. */
type Crc = (bytes: Uint8Array, before?: number) => number;

/** CRC-32, equal to that of `node:zlib`. */
export const crc32: Crc = createCrc(0xedb88320);

/** CRC-32C (Castagnoli), which HDFS stores for its blocks. */
export const crc32c: Crc = createCrc(0x82f63b78);

type Tables = readonly [
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
  Int32Array,
];

/** Returns the function for a polynomial. Its tables are computed on first use. */
function createCrc(polynomial: number): Crc {
  let tables: Tables | undefined;
  return (bytes, before = 0) => updateSum(tables ??= tablesOf(polynomial), bytes, before);
}

/** Returns eight tables, with which eight bytes are processed at once. */
function tablesOf(polynomial: number): Tables {
  const table = () => new Int32Array(256);
  const all: Tables = [table(), table(), table(), table(), table(), table(), table(), table()];
  for (let byte = 0; byte < 256; byte++) {
    let sum = byte;
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? sum >>> 1 ^ polynomial : sum >>> 1;
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

function updateSum([t0, t1, t2, t3, t4, t5, t6, t7]: Tables, bytes: Uint8Array, before: number): number {
  let sum = ~before;
  let offset = 0;
  for (; offset + 8 <= bytes.length; offset += 8) {
    sum ^= bytes[offset]! | bytes[offset + 1]! << 8 | bytes[offset + 2]! << 16 | bytes[offset + 3]! << 24;
    sum = t7[sum & 255]! ^ t6[sum >>> 8 & 255]! ^ t5[sum >>> 16 & 255]! ^ t4[sum >>> 24]! ^
      t3[bytes[offset + 4]!]! ^ t2[bytes[offset + 5]!]! ^ t1[bytes[offset + 6]!]! ^ t0[bytes[offset + 7]!]!;
  }
  for (; offset < bytes.length; offset++) sum = sum >>> 8 ^ t0[(sum ^ bytes[offset]!) & 255]!;
  return (sum ^ -1) >>> 0;
}
