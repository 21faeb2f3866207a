/**
 * Once a container only waits, most of what its executor needed to start is of no use any more: code and tables that were
 * read from the program's file, and free space that the allocator keeps. All of it counts against the user's pod.
 */

const MADV_DONTNEED = 4;

const SYMBOLS = {
  madvise: { parameters: ["usize", "usize", "i32"], result: "i32" },
  malloc_trim: { parameters: ["usize"], result: "i32" },
} as const;

/**
 * Gives memory back to the kernel. Pages of a file are read again, from the kernel's cache, when they are needed. Where
 * that cannot be done nothing is lost but memory.
 */
export function giveBackMemory(): void {
  if (Deno.build.os !== "linux") return;
  try {
    using libc = asDisposable(Deno.dlopen("libc.so.6", SYMBOLS));
    libc.symbols.malloc_trim(0n);
    for (const { start, end } of unchangedFilePages(Deno.readTextFileSync("/proc/self/maps"))) {
      libc.symbols.madvise(start, end - start, MADV_DONTNEED);
    }
  } catch {
    return; // No such library, or no /proc.
  }
}

function asDisposable<T extends { close(): void }>(library: T): T & Disposable {
  return Object.assign(library, { [Symbol.dispose]: () => library.close() });
}

/** Addresses from `start` up to `end`. */
export interface Range {
  readonly start: bigint;
  readonly end: bigint;
}

/**
 * The parts of memory that the kernel can read from a file again: code, and the tables at the head of a program or
 * library. Other read-only parts were changed by the loader before they became so; their file does not bring them back.
 */
export function unchangedFilePages(maps: string): Range[] {
  const unchanged = /^([0-9a-f]+)-([0-9a-f]+) r(?:-xp [0-9a-f]+|--p 0+) \S+ [1-9]/gm;
  return [...maps.matchAll(unchanged)].map(([, start, end]) => ({
    start: BigInt(`0x${start}`),
    end: BigInt(`0x${end}`),
  }));
}
