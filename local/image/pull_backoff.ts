/** The backoff of failed pulls: containers retry every second, and registries limit the rate of requests. */
import { keepNewest } from "@tiphys/base/text_cache";
import type { DockerConfig } from "@tiphys/registry/credentials";
import { ImageError } from "@tiphys/registry/image_error";
import { createHash } from "node:crypto";

/** Minimum and maximum backoff after a failed pull, as in the kubelet. */
const FIRST_BACKOFF_MS = 10_000;
const MAX_BACKOFF_MS = 300_000;
/** Maximum number of failed pulls that are remembered. */
const MAX_REMEMBERED = 1_000;

interface FailedPull {
  readonly error: ImageError;
  readonly wait: number;
  /** The end of the backoff. */
  readonly until: number;
}

/** Remembers failed pulls. */
export class PullBackoff {
  readonly #failed = new Map<string, FailedPull>();
  readonly #now: () => number;

  /** @param now the time in milliseconds. */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /**
   * Pulls an image, unless the backoff of its last failure has not ended.
   * @throws {ImageError} the error of the last pull, with the number of failed attempts.
   */
  async run<T>(key: string, pull: () => Promise<T>): Promise<T> {
    const failed = this.#failed.get(key);
    if (failed && this.#now() < failed.until) throw failed.error;
    try {
      const pulled = await pull();
      this.#failed.delete(key);
      return pulled;
    } catch (error) {
      if (error instanceof ImageError) this.#remember(key, error);
      throw error;
    }
  }

  #remember(key: string, error: ImageError): void {
    const before = this.#failed.get(key);
    // A concurrent pull has failed as well.
    if (before && this.#now() < before.until) return;
    error.attempts = (before?.error.attempts ?? 0) + 1;
    const wait = before ? Math.min(2 * before.wait, MAX_BACKOFF_MS) : FIRST_BACKOFF_MS;
    keepNewest(this.#failed, key, { error, wait, until: this.#now() + wait }, MAX_REMEMBERED);
  }
}

/** Returns the key of a pull. It includes the secrets, because the result may depend on them. */
export function pullKey(name: string, secrets: readonly DockerConfig[]): string {
  if (secrets.length === 0) return name;
  return `${name} ${createHash("sha256").update(JSON.stringify(secrets)).digest("hex")}`;
}
