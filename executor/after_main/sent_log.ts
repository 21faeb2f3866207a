/** The part of a log that lies in its store already, and what is added to it. Loaded only for logs that grow large. */
import { createHash, type Hash } from "node:crypto";
import {
  type Driver,
  MOST_ADDED_TO_BYTES,
  type Moved,
  movesTrees,
  type Place,
  StoreError,
} from "../../lib/artifact/mod.ts";
import { sourceOf } from "../../lib/artifact/transfer/save.ts";
import type { Held } from "../../lib/confined/mod.ts";
import { chunksOf, sliceOf, type Source } from "../../lib/net/mod.ts";
import { outputPlace } from "../pod/places.ts";
import type { PodTemplate, TemplateArtifact } from "../pod/template.ts";
import type { World } from "../world.ts";
import type { ContainerLog } from "./container_log.ts";

/** A log that is sent, and what was sent of it before. */
interface Sending {
  readonly log: ContainerLog;
  readonly before: SentLog | undefined;
  readonly stop: AbortSignal;
}

/** What lies in the store of a log: its first bytes, and a sum of them. */
export class SentLog {
  private constructor(
    /** The artifact as the status names it. */
    readonly artifact: TemplateArtifact,
    readonly bytes: number,
    private readonly etag: string,
    /** Of what was sent, to be gone on with. */
    private readonly hash: Hash,
    private readonly place: Place,
  ) {}

  /**
   * Sends what there is of a log by now, or adds what has come since.
   * @throws {StoreError} when its store does not take it, or adds nothing to files.
   */
  static async send(
    world: World,
    template: PodTemplate,
    container: string,
    { log: { held }, before, stop }: Sending,
  ): Promise<SentLog> {
    if (before) return await before.#grown(world, held, stop);
    const { place, reported } = logPlace(template, container);
    const driver = await growing(world, place);
    const { size } = held.info();
    const hash = createHash("sha256");
    await summedUp(held, 0, size, hash);
    const { etag } = await driver.write(place, sourceOf(held, size, place.key), stop);
    if (etag === undefined) throw new StoreError(`${place.store} does not tell what it has written`, "final");
    return new SentLog(reported, size, etag, hash, place);
  }

  async #grown(world: World, held: Held, stop: AbortSignal): Promise<SentLog> {
    const driver = await growing(world, this.place);
    const { size } = held.info();
    const hash = this.hash.copy();
    await summedUp(held, this.bytes, size, hash);
    const there = { size: this.bytes, etag: this.etag };
    const { etag } = await driver.append(this.place, there, {
      content: partOf(held, this.bytes, size),
      sha256: hash.copy().digest("hex"),
    }, stop);
    return new SentLog(this.artifact, size, etag, hash, this.place);
  }

  /**
   * Adds the rest of a log that grows no more; undefined where what was sent is not how it begins, as main can write to
   * the file of its own log, or is too large to be added to.
   */
  async finish(world: World, held: Held, stop: AbortSignal): Promise<Moved | undefined> {
    const { size } = held.info();
    if (size < this.bytes || size > this.bytes && this.bytes > MOST_ADDED_TO_BYTES) return undefined;
    const hash = createHash("sha256");
    await summedUp(held, 0, this.bytes, hash);
    if (hash.copy().digest("hex") !== this.hash.copy().digest("hex")) return undefined;
    await summedUp(held, this.bytes, size, hash);
    const sha256 = hash.digest("hex");
    const driver = await growing(world, this.place);
    if (size > this.bytes) {
      const there = { size: this.bytes, etag: this.etag };
      await driver.append(this.place, there, { content: partOf(held, this.bytes, size), sha256 }, stop);
    } else if ((await driver.find(this.place, stop)).etag !== this.etag) return undefined;
    return { kind: "file", bytes: size, objects: 1, sha256 };
  }
}

/** The place of a container's log. */
export function logPlace(template: PodTemplate, container: string) {
  return outputPlace(template, { name: `${container}-logs` }, `${container}.log`);
}

type Growing = Driver & Required<Pick<Driver, "append">>;

async function growing(world: World, place: Place): Promise<Growing> {
  const driver = await world.driverFor(place);
  if (movesTrees(driver) || !driver.append) {
    throw new StoreError(`a store of kind ${place.store} adds nothing to files`, "final");
  }
  return driver as Growing;
}

function partOf(held: Held, from: number, to: number): Source {
  return sliceOf(sourceOf(held, to, "the log"), from, to);
}

async function summedUp(held: Held, from: number, to: number, hash: Hash): Promise<void> {
  for await (const part of chunksOf(sourceOf(held, to, "the log").open(from, to), to - from)) hash.update(part);
}
