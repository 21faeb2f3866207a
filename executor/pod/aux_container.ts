/** The common setup and cleanup of the auxiliary containers of the executor. */
import { VERSION } from "@tiphys/base/version";
import { type Deadline, openDeadline } from "../process/deadline.ts";
import { type Inbox, openInbox } from "../process/inbox.ts";
import { containerFolder, ownContainerName, type World } from "../world.ts";
import { confineSharedFiles } from "./confined_files.ts";

/** The deadline and the signals of an auxiliary container. */
export interface AuxContainer {
  readonly deadline: Deadline;
  readonly inbox: Inbox;
}

/**
 * Runs the work of an auxiliary container. The first line of its log names the release, in Argo's words. Files are
 * created for every user of the pod (umask 0), and links of main are not followed.
 */
export async function runAuxContainer<T>(world: World, work: (container: AuxContainer) => Promise<T>): Promise<T> {
  world.log(`Starting Workflow Executor ${VERSION}`);
  Deno.umask(0);
  using deadline = await openDeadline(world);
  const name = ownContainerName(world);
  confineSharedFiles(world);
  world.files.makeFolder(containerFolder(world, name));
  await using inbox = openInbox(world, name);
  return await work({ deadline, inbox });
}
