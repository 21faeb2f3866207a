/** Settings of artifact transfers in this pod: its clock, retry policy, and log lines. */
import type { Place } from "@tiphys/model/artifact";
import { nameOfPlace, retryPolicyOf, type Transfer, type TransferResult } from "@tiphys/artifacts/transfer";
import { countText } from "@tiphys/base/count_text";
import type { World } from "../world.ts";

/** The number of objects of a folder that are transferred in parallel. */
export const OBJECTS_AT_ONCE = 8;

/** Returns the settings for the transfer of an artifact. */
export function createTransfer(world: World, stop: AbortSignal, artifact: string): Transfer {
  return {
    policy: retryPolicyOf(world.env),
    clock: world.clock,
    stop,
    log: (line) => world.log(world.redact(`artifact ${artifact}: ${line}`)),
    objects: OBJECTS_AT_ONCE,
    env: world.env,
  };
}

/** Runs a transfer and logs its start and its result. */
export async function logTransfer(
  transfer: Transfer,
  { what, place }: { readonly what: "load" | "save"; readonly place: Place },
  move: () => Promise<TransferResult>,
): Promise<TransferResult> {
  const began = transfer.clock.now();
  transfer.log(`${what} ${nameOfPlace(place)}`);
  const moved = await move();
  const seconds = ((transfer.clock.now() - began) / 1000).toFixed(1);
  if (moved.unsent) transfer.log(`skipped ${countText(moved.unsent, "object")}, already stored with the same digest`);
  const sum = moved.sha256 === undefined ? "" : `, sha256 ${moved.sha256}`;
  transfer.log(`${what} is done: ${moved.bytes} bytes in ${countText(moved.objects, "object")}, ${seconds} s${sum}`);
  return moved;
}
