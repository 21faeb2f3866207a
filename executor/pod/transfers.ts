/** Transfers of artifacts as this pod makes them: its clock, its policy of tries, and a line in its log for the start and end of each. */
import { type Moved, nameOfPlace, type Place, retryPolicyOf, type Transfer } from "../../lib/artifact/mod.ts";
import type { World } from "../world.ts";

/** Objects of a folder that are moved at once. */
export const OBJECTS_AT_ONCE = 8;

/** The options with which this pod moves an artifact. */
export function transferOf(world: World, stop: AbortSignal, artifact: string): Transfer {
  return {
    policy: retryPolicyOf(world.env),
    clock: world.clock,
    stop,
    log: (line) => world.log(world.redact(`artifact ${artifact}: ${line}`)),
    objects: OBJECTS_AT_ONCE,
    env: world.env,
  };
}

/** Moves an artifact, and tells of it when it begins and when it has ended. */
export async function told(
  transfer: Transfer,
  { what, place }: { readonly what: "load" | "save"; readonly place: Place },
  move: () => Promise<Moved>,
): Promise<Moved> {
  const began = transfer.clock.now();
  transfer.log(`${what} ${nameOfPlace(place)}`);
  const moved = await move();
  const seconds = ((transfer.clock.now() - began) / 1000).toFixed(1);
  if (moved.unsent) transfer.log(`of it ${moved.unsent} lay there already, with the same digest, and was not sent`);
  const sum = moved.sha256 === undefined ? "" : `, sha256 ${moved.sha256}`;
  const objects = moved.objects === 1 ? "1 object" : `${moved.objects} objects`;
  transfer.log(`${what} is done: ${moved.bytes} bytes in ${objects}, ${seconds} s${sum}`);
  return moved;
}
