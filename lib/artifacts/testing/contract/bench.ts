/** The environment of a case: a driver, separate places, content, and network faults. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import type { Bytes, Source } from "@tiphys/base/net";
import {
  type Driver,
  type Item,
  type Part,
  type Place,
  type StartedUploads,
  StoreError,
  type StoreErrorKind,
} from "@tiphys/model/artifact";
import { FaultProxy } from "./fault_proxy.ts";

/** A store under test, and what the cases of the contract need to access and inspect it. */
export interface TestedStore {
  readonly name: string;
  /**
   * Returns a driver with valid credentials. `through` is a port of 127.0.0.1 at which the server is reached instead.
   */
  driver(through?: number): Promise<Driver> | Driver;
  /** Returns a driver that stores its started uploads, and sends one part at a time. */
  remembering?(begun: StartedUploads): Promise<Driver> | Driver;
  /** Returns the place of a key, with all settings; `through` as above. */
  place(key: string, through?: number): Place;
  /**
   * The port of its server on 127.0.0.1, plain HTTP, which a proxy with faults is put in front of. If undefined, those
   * cases are skipped.
   */
  readonly port?: number;
  /** Places, with their drivers, that fail in known ways. */
  readonly noBucket?: () => Promise<DriverAtLocation> | DriverAtLocation;
  readonly wrongSecret?: (through?: number) => Promise<DriverAtLocation> | DriverAtLocation;
  readonly unreadable?: () => Promise<DriverAtLocation> | DriverAtLocation;
  /** Part sizes in bytes. Sizes around them are tested. */
  readonly partBytes?: number;
  /** Whether it verifies checksums of uploads and downloads. */
  readonly sums?: { readonly up: boolean; readonly down: boolean };
  /** Another client of the same store, by another author. */
  readonly reference?: { put(key: string, content: Bytes): Promise<void>; get(key: string): Promise<Bytes> };
  /** Returns keys of uploads that were neither completed nor aborted. */
  readonly unfinished?: () => Promise<readonly string[]>;
  /** The requested encryption, and a function that returns that of an object. */
  readonly encryption?: { readonly as: string; of(key: string): Promise<string | undefined> };
  /** Drivers that may read, but lack the encryption key. */
  readonly driversWithoutKey?: readonly (() => Promise<Driver> | Driver)[];
  /** Whether no other tests run in this process, so that its memory and descriptors can be measured. */
  readonly isAlone?: boolean;
  /** Returns the number of versions of a key, and of delete markers among them. */
  readonly versions?: (key: string) => Promise<{ readonly contents: number; readonly markers: number }>;
  /** Only these cases are run, by number, because the store differs from another one only there. */
  readonly only?: readonly string[];
  /** Cases that are skipped, by number, with the reason. */
  readonly cannot?: Readonly<Record<string, string>>;
}

/** A driver and a place for it. */
export interface DriverAtLocation {
  readonly driver: Driver;
  readonly place: Place;
}

/** One case. */
export interface Case {
  /** `AR-01`, … */
  readonly id: string;
  readonly title: string;
  readonly needs?: readonly (keyof Driver["can"])[];
  keep(bench: Bench): Promise<void>;
}

/** Error for a case that a store cannot run. The message is the reason. */
export class SkippedCaseError extends Error {
  override readonly name = "SkippedCaseError";
}

let count = 0;

/** One case on one store. */
export class Bench implements AsyncDisposable {
  readonly stop: AbortSignal = new AbortController().signal;
  readonly #prefix: string;
  readonly #closed: (() => Promise<void> | void)[] = [];

  private constructor(readonly underTest: TestedStore, readonly driver: Driver, testCase: Case) {
    this.#prefix = `contract-${testCase.id.toLowerCase()}-${Deno.pid}-${Date.now().toString(36)}-${count++}`;
  }

  static async create(testCase: Case, underTest: TestedStore): Promise<Bench> {
    const driver = await underTest.driver();
    const bench = new Bench(underTest, driver, testCase);
    bench.#closed.push(() => driver.close?.());
    return bench;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const close of this.#closed) await close();
  }

  /** Returns a place that nothing else uses. */
  at(key: string): Place {
    return this.underTest.place(`${this.#prefix}/${key}`);
  }

  write(key: string, content: string | Bytes): Promise<unknown> {
    return this.driver.write(this.at(key), sourceOf(content), this.stop);
  }

  /** Writes many objects, a few at a time. */
  async writeAll(keys: readonly string[], content = "x"): Promise<void> {
    const left = [...keys].reverse();
    const work = async () => {
      for (let key = left.pop(); key !== undefined; key = left.pop()) await this.write(key, content);
    };
    await Promise.all(Array.from({ length: 16 }, work));
  }

  async read(key: string, part: Part = {}): Promise<Bytes> {
    return await bytesOf(await this.driver.read(this.at(key), part, this.stop));
  }

  async readText(key: string, part: Part = {}): Promise<string> {
    return new TextDecoder().decode(await this.read(key, part));
  }

  async list(key: string): Promise<Item[]> {
    return await Array.fromAsync(this.driver.list(this.at(key), this.stop));
  }

  async names(key: string): Promise<string[]> {
    return (await this.list(key)).map(({ name }) => name);
  }

  find(key: string) {
    return this.driver.find(this.at(key), this.stop);
  }

  async remove(key: string): Promise<number> {
    return (await this.driver.remove(this.at(key), this.stop)).removed;
  }

  /** Returns the kind of object at a key: `file`, `folder` or `missing`. */
  async kind(key: string): Promise<string> {
    return await this.find(key).then(({ kind }) => kind, (error: unknown) => {
      if (error instanceof StoreError && error.kind === "missing") return error.kind;
      throw error;
    });
  }

  /** Returns a driver whose server is reached through a proxy with faults. */
  async createFaultyDriver(): Promise<{ driver: Driver; faults: FaultProxy; at: (key: string) => Place }> {
    const { port } = this.underTest;
    if (port === undefined) throw new SkippedCaseError("no faults can be put in front of it");
    const faults = new FaultProxy(port);
    const driver = await this.underTest.driver(faults.port);
    this.#closed.push(async () => {
      await driver.close?.();
      await faults.close();
    });
    return { driver, faults, at: (key) => this.underTest.place(`${this.#prefix}/${key}`, faults.port) };
  }
}

/** Returns content with its size. */
export function sourceOf(content: string | Bytes): Source {
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
  const step = 65_536;
  return {
    size: bytes.length,
    open(from, to) {
      let offset = from;
      return new ReadableStream({
        pull(stream) {
          if (offset >= to) return stream.close();
          stream.enqueue(bytes.slice(offset, Math.min(to, offset + step)));
          offset += step;
        },
      }, { highWaterMark: 0 });
    },
  };
}

/** Returns pseudo-random bytes, the same for equal seeds. */
export function pseudoRandomBytes(size: number, seed = 1): Bytes {
  const bytes = new Uint8Array(size);
  const words = new Uint32Array(bytes.buffer, 0, size >> 2);
  let state = seed * 2654435761 >>> 0 || 1;
  for (let offset = 0; offset < words.length; offset++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[offset] = state;
  }
  for (let index = words.length * 4; index < size; index++) bytes[index] = index & 0xff;
  return bytes;
}

export async function bytesOf(stream: ReadableStream<Bytes>): Promise<Bytes> {
  return await new Response(stream).bytes();
}

/** Compares contents without printing them. */
export function assertSame(actual: Bytes, expected: Bytes): void {
  assertEquals(actual.length, expected.length);
  const offset = actual.findIndex((byte, index) => byte !== expected[index]);
  assert(offset < 0, `byte ${offset} differs`);
}

/** Expects an error of this kind and resolves to it. */
export async function assertKind(kind: StoreErrorKind, act: () => Promise<unknown>): Promise<StoreError> {
  const error = await assertRejects(act, StoreError);
  assertEquals(error.kind, kind, `${error.kind}: ${error.message}`);
  return error;
}

/** A store of uploads in memory. */
export function uploadsInMemory(): StartedUploads & { readonly said: Map<string, string> } {
  const said = new Map<string, string>();
  return {
    said,
    get: (name) => said.get(name),
    put: (name, text) => void said.set(name, text),
    forget: (name) => void said.delete(name),
  };
}

/** Content that is readable up to a byte. */
export interface BlockedContent {
  readonly source: Source;
  /** Resolves when that byte is requested. */
  readonly reached: Promise<void>;
  /** Ends the read with an error. */
  end(): void;
}

/** Returns content whose read blocks where a part begins, like in a process that is killed there. */
export function blockingContent(content: Bytes, offset: number): BlockedContent {
  const { promise: reached, resolve } = Promise.withResolvers<void>();
  const { promise: end, reject } = Promise.withResolvers<never>();
  end.catch(() => {}); // The process that would receive it is gone.
  const whole = sourceOf(content);
  return {
    reached,
    end: () => reject(new Error("the process is gone")),
    source: {
      size: content.length,
      open(from, to) {
        if (from < offset) return whole.open(from, to);
        resolve();
        return new ReadableStream({ pull: () => end });
      },
    },
  };
}
