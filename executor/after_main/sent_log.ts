/** The part of a growing log that is already in its store. Loaded only for large logs. */
import { createHash, type Hash } from "node:crypto";
import { type Driver, MAX_APPENDED_BYTES, type Place, StoreError } from "@tiphys/model/artifact";
import { movesTrees, type TransferResult } from "@tiphys/artifacts/transfer";
import { sourceOf } from "@tiphys/artifacts/transfer/save";
import type { Handle } from "@tiphys/base/confined";
import { chunksOf, sliceOf, type Source } from "@tiphys/base/net";
import { outputLocation } from "../pod/places.ts";
import type { PodTemplate, TemplateArtifact } from "../pod/template.ts";
import type { World } from "../world.ts";
import type { ContainerLog } from "./container_log.ts";

/** An upload of a log, with the part that was uploaded before. */
interface LogUpload {
  readonly log: ContainerLog;
  readonly before: SentLog | undefined;
  readonly stop: AbortSignal;
}

/** The uploaded part of a log: its first `bytes` bytes and their hash. */
export class SentLog {
  private constructor(
    /** The artifact as the status lists it. */
    readonly artifact: TemplateArtifact,
    readonly bytes: number,
    private readonly etag: string,
    /** The hash of the uploaded bytes. Copy it to continue. */
    private readonly hash: Hash,
    private readonly location: Place,
  ) {}

  /**
   * Uploads the current contents of a log, or appends the bytes that were written since `before`.
   * @throws {StoreError} when the store refuses the upload or cannot append.
   */
  static async send(
    world: World,
    template: PodTemplate,
    container: string,
    { log: { held }, before, stop }: LogUpload,
  ): Promise<SentLog> {
    if (before) return await before.#uploadAppended(world, held, stop);
    const { place, reported } = logLocation(template, container);
    const driver = await appendableDriver(world, place);
    const { size } = held.info();
    const hash = createHash("sha256");
    await addToHash(held, 0, size, hash);
    const { etag } = await driver.write(place, sourceOf(held, size, place.key), stop);
    if (etag === undefined) throw new StoreError(`the ${place.store} store returned no ETag`, "final");
    return new SentLog(reported, size, etag, hash, place);
  }

  async #uploadAppended(world: World, handle: Handle, stop: AbortSignal): Promise<SentLog> {
    const driver = await appendableDriver(world, this.location);
    const { size } = handle.info();
    const hash = this.hash.copy();
    await addToHash(handle, this.bytes, size, hash);
    const there = { size: this.bytes, etag: this.etag };
    const { etag } = await driver.append(this.location, there, {
      content: partOf(handle, this.bytes, size),
      sha256: hash.copy().digest("hex"),
    }, stop);
    return new SentLog(this.artifact, size, etag, hash, this.location);
  }

  /**
   * Appends the rest of a log that is complete. Returns undefined if the log no longer begins with the uploaded bytes
   * (main can write to its own log file), or if the object is too large to append to.
   */
  async finish(world: World, handle: Handle, stop: AbortSignal): Promise<TransferResult | undefined> {
    const { size } = handle.info();
    if (size < this.bytes || size > this.bytes && this.bytes > MAX_APPENDED_BYTES) return undefined;
    const hash = createHash("sha256");
    await addToHash(handle, 0, this.bytes, hash);
    if (hash.copy().digest("hex") !== this.hash.copy().digest("hex")) return undefined;
    await addToHash(handle, this.bytes, size, hash);
    const sha256 = hash.digest("hex");
    const driver = await appendableDriver(world, this.location);
    if (size > this.bytes) {
      const there = { size: this.bytes, etag: this.etag };
      await driver.append(this.location, there, { content: partOf(handle, this.bytes, size), sha256 }, stop);
    } else if ((await driver.find(this.location, stop)).etag !== this.etag) return undefined;
    return { kind: "file", bytes: size, objects: 1, sha256 };
  }
}

/** The location of a container's log. */
export function logLocation(template: PodTemplate, container: string) {
  return outputLocation(template, { name: `${container}-logs` }, `${container}.log`);
}

type AppendableDriver = Driver & Required<Pick<Driver, "append">>;

async function appendableDriver(world: World, location: Place): Promise<AppendableDriver> {
  const driver = await world.driverFor(location);
  if (movesTrees(driver) || !driver.append) {
    throw new StoreError(`the ${location.store} store cannot append to files`, "final");
  }
  return driver as AppendableDriver;
}

function partOf(handle: Handle, from: number, to: number): Source {
  return sliceOf(sourceOf(handle, to, "the log"), from, to);
}

async function addToHash(handle: Handle, from: number, to: number, hash: Hash): Promise<void> {
  for await (const part of chunksOf(sourceOf(handle, to, "the log").open(from, to), to - from)) hash.update(part);
}
