/** The frame of a container of ours beside main: what each of them has before it works, and gives back at its end. */
import { type Deadline, openDeadline } from "../after_main/deadline.ts";
import { type Inbox, openInbox } from "../command/inbox.ts";
import { containerFolder, ownName, type World } from "../world.ts";
import { confine } from "./confined_files.ts";

/** The deadline and the signals of such a container while it works. */
export interface AuxContainer {
  readonly deadline: Deadline;
  readonly inbox: Inbox;
}

/** Does the work of an auxiliary container: it makes files for every user of the pod, and follows no links of main. */
export async function asAuxContainer<T>(world: World, work: (container: AuxContainer) => Promise<T>): Promise<T> {
  Deno.umask(0);
  using deadline = await openDeadline(world);
  const name = ownName(world);
  confine(world);
  world.files.makeFolder(containerFolder(world, name));
  await using inbox = openInbox(world, name);
  return await work({ deadline, inbox });
}
