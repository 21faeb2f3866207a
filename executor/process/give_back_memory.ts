/**
 * Release of memory. Once a container only waits, most of the memory that its executor needed to start is unused: code
 * and tables that were read from the program's file, and free space that the allocator keeps. All of it counts towards
 * the pod's memory.
 */

const MADV_DONTNEED = 4;

const SYMBOLS = {
  madvise: { parameters: ["usize", "usize", "i32"], result: "i32" },
  malloc_trim: { parameters: ["usize"], result: "i32" },
} as const;

/**
 * Returns unused memory to the kernel. Released file pages are read again from the page cache when they are needed.
 * Failures are ignored: only the saving is lost.
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
    return; // Not glibc, or no /proc.
  }
}

function asDisposable<T extends { close(): void }>(library: T): T & Disposable {
  return Object.assign(library, { [Symbol.dispose]: () => library.close() });
}

/** A range of addresses; `end` is exclusive. */
export interface Range {
  readonly start: bigint;
  readonly end: bigint;
}

/**
 * Returns the parts of memory that the kernel can read from a file again: code, and the tables at the head of a program
 * or library. Other read-only parts are excluded because the loader modified them, so the file does not have their
 * contents.
 */
export function unchangedFilePages(maps: string): Range[] {
  const unchanged = /^([0-9a-f]+)-([0-9a-f]+) r(?:-xp [0-9a-f]+|--p 0+) \S+ [1-9]/gm;
  return [...maps.matchAll(unchanged)].map(([, start, end]) => ({
    start: BigInt(`0x${start}`),
    end: BigInt(`0x${end}`),
  }));
}
