/** The ELF file of a program without libraries: headers, machine code, and data at known addresses. */

const BASE = 0x40_0000;
const ELF_HEADER_BYTES = 64;
const PROGRAM_HEADER_BYTES = 56;
const START = ELF_HEADER_BYTES + PROGRAM_HEADER_BYTES;

/** The maximum page size of a kernel. */
const PAGE_BYTES = 0x1_0000;

/** The alignment of pieces of data, so that a piece may be a table of addresses. */
const ALIGNMENT = 8;

/** Bytes, or eight-byte words: numbers, and addresses of other pieces by their index. */
export type Piece = Uint8Array | { readonly words: readonly (number | { readonly addressOf: number })[] };

/**
 * Builds a static ELF program for Linux. `machine` is ELF's number of the processor. `code` returns the machine code,
 * given the address of each piece of data; its length must not depend on the addresses.
 */
export function staticProgram(
  machine: number,
  data: readonly Piece[],
  code: (addresses: readonly number[]) => readonly number[],
): Uint8Array<ArrayBuffer> {
  const codeBytes = code(data.map(() => 0)).length;
  const addresses: number[] = [];
  let end = BASE + START + codeBytes;
  for (const piece of data) {
    const address = Math.ceil(end / ALIGNMENT) * ALIGNMENT;
    addresses.push(address);
    end = address + (piece instanceof Uint8Array ? piece.length : piece.words.length * 8);
  }
  const file = new Uint8Array(end - BASE);
  file.set(headers(machine, file.length));
  file.set(code(addresses), START);
  for (const [index, piece] of data.entries()) {
    const bytes = piece instanceof Uint8Array
      ? piece
      : piece.words.flatMap((word) => eightBytes(typeof word === "number" ? word : addresses[word.addressOf]!));
    file.set(bytes, addresses[index]! - BASE);
  }
  return file;
}

/** Encodes a zero-terminated text. */
export function zeroTerminated(text: string): Uint8Array {
  return new TextEncoder().encode(`${text}\0`);
}

/** Encodes a number as four bytes. */
export function fourBytes(value: number): number[] {
  return [0, 8, 16, 24].map((shift) => (value >>> shift) & 0xff);
}

/** Encodes a number of up to 53 bits as eight bytes. */
function eightBytes(value: number): number[] {
  return [...fourBytes(value), ...fourBytes(Math.floor(value / 2 ** 32))];
}

function twoBytes(value: number): number[] {
  return [value & 0xff, value >> 8];
}

/** One segment with the whole file, readable and executable. There is no interpreter and there are no libraries. */
function headers(machine: number, fileBytes: number): number[] {
  const loadable = 1;
  const readAndExecute = 5;
  return [
    ...[0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0], // ELF, 64 bits, little endian
    ...twoBytes(2), // an executable
    ...twoBytes(machine),
    ...fourBytes(1),
    ...eightBytes(BASE + START),
    ...eightBytes(ELF_HEADER_BYTES), // offset of the program header
    ...eightBytes(0), // no sections
    ...fourBytes(0),
    ...twoBytes(ELF_HEADER_BYTES),
    ...twoBytes(PROGRAM_HEADER_BYTES),
    ...twoBytes(1),
    ...[0, 0, 0, 0, 0, 0],
    ...fourBytes(loadable),
    ...fourBytes(readAndExecute),
    ...eightBytes(0),
    ...eightBytes(BASE),
    ...eightBytes(BASE),
    ...eightBytes(fileBytes),
    ...eightBytes(fileBytes),
    ...eightBytes(PAGE_BYTES),
  ];
}
