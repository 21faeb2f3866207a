/**
 * Detection of a dead executor. A process that the kernel kills writes no exit code, and other containers cannot see
 * that it is gone. But each executor holds a lock on a file, and the kernel releases the lock when its process ends for
 * whatever reason.
 */
import { pause } from "@tiphys/base/clock";
import { EXIT } from "@tiphys/base/constants";
import { VERSION } from "@tiphys/base/version";
import { waitForFile } from "@tiphys/base/watch";
import { readExitCode, writeExitCode } from "../process/exit_code.ts";
import { describeError } from "../failure.ts";
import { containerFolder, type World } from "../world.ts";

const TRY_AGAIN_MILLIS = 1000;

/** The maximum length of a version, in bytes. */
const MAX_VERSION_BYTES = 256;

function lifeFile(world: World, container: string): string {
  return `${containerFolder(world, container)}/alive`;
}

/**
 * Creates the life file of a container and locks it until it is disposed of or the process ends. The file contains the
 * version of the executor.
 */
export function markAlive(world: World, container: string): Disposable {
  const file = lifeFile(world, container);
  const begun = `${file}.tmp`;
  const held = Deno.openSync(begun, { write: true, create: true, truncate: true, mode: 0o666 });
  held.lockSync(true);
  held.writeSync(new TextEncoder().encode(VERSION));
  // Renamed only after locking; otherwise another container could take the lock first.
  Deno.renameSync(begun, file);
  return { [Symbol.dispose]: () => held.close() };
}

/** Whether a container's executor has ever started. */
export async function hasStarted(world: World, container: string): Promise<boolean> {
  return await Deno.stat(lifeFile(world, container)).then(() => true, () => false);
}

/**
 * Returns the version of a container's executor if it differs from this one: its image is of another release and may be
 * incompatible.
 */
export function findVersionMismatch(world: World, container: string): string | undefined {
  const version = world.files.read(lifeFile(world, container), MAX_VERSION_BYTES);
  return version === VERSION ? undefined : version;
}

/**
 * Waits until a container's executor is dead. If it left no exit code, writes one, because the other containers wait
 * for it.
 */
export async function recordDeath(world: World, container: string, stop: AbortSignal): Promise<void> {
  world.files.makeFolder(containerFolder(world, container));
  const file = lifeFile(world, container);
  const held = await waitForFile(file, () => Promise.resolve(world.files.open(file)), {
    signal: stop,
    clock: world.clock,
    warn: world.log,
  });
  using _ = held;
  await held.lock(true);
  if (readExitCode(world, container) !== undefined) return;
  world.log(`container ${container} ended without an exit code`);
  await writeExitCodeWithRetry(world, container, stop);
}

/**
 * Writes the exit code of a killed container, and retries until it succeeds: the container itself may have filled the
 * disk, which becomes free when the container is removed.
 */
async function writeExitCodeWithRetry(world: World, container: string, stop: AbortSignal): Promise<void> {
  for (let tries = 0;; tries++) {
    try {
      return writeExitCode(world, container, EXIT.undetermined);
    } catch (error) {
      if (tries === 0) world.log(`failed to write the exit code of ${container}, retrying: ${describeError(error)}`);
    }
    await pause(world.clock, TRY_AGAIN_MILLIS, stop);
  }
}
