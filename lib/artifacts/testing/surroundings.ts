/** The environment of a driver under test: secrets from a map, a given clock, real connections. */
import { type Bytes, type Net, openNet, type Source } from "@tiphys/base/net";
import { type DriverEnvironment, StoreError } from "@tiphys/model/artifact";

/** The parts of the environment that a test sets. */
export interface TestEnvironment {
  /** By `name/key`. */
  readonly secrets?: Readonly<Record<string, string | Bytes>>;
  /** By `name/key`. */
  readonly configMaps?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** False as in a server, true as in a pod (the default). */
  readonly mayUseIdentity?: boolean;
  readonly now?: () => number;
  readonly net?: Net;
  readonly partBytes?: number;
}

/** Makes the environment of a driver. */
export function driverEnvironment(test: TestEnvironment = {}): DriverEnvironment {
  const secretBytes = (name: string, key: string): Promise<Bytes> => {
    const value = test.secrets?.[`${name}/${key}`];
    if (value !== undefined) {
      return Promise.resolve(typeof value === "string" ? new TextEncoder().encode(value) : value);
    }
    return Promise.reject(new StoreError(`secret "${name}" has no key "${key}"`, "final"));
  };
  return {
    async secret(name, key) {
      return new TextDecoder().decode(await secretBytes(name, key));
    },
    secretBytes,
    configMap(name, key) {
      const value = test.configMaps?.[`${name}/${key}`];
      if (value !== undefined) return Promise.resolve(value);
      return Promise.reject(new StoreError(`config map "${name}" has no key "${key}"`, "final"));
    },
    env: (name) => test.env?.[name],
    mayUseIdentity: test.mayUseIdentity ?? true,
    net: test.net ?? openNet(),
    now: test.now ?? (() => Date.now()),
    limits: { parts: 2, objects: 4, ...test.partBytes ? { partBytes: test.partBytes } : {} },
  };
}

/** Returns content in memory. */
export function sourceOf(text: string | Bytes): Source {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  return { size: bytes.length, open: (from, to) => new Blob([bytes.slice(from, to)]).stream() };
}

/** Returns the whole content of a stream as text. */
export async function textOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  return await new Response(stream).text();
}
