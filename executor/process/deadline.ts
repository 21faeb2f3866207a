/**
 * The deadlines that the executor enforces: at a deadline, loading of inputs stops, main receives SIGTERM and then
 * SIGKILL, and its outputs are still saved.
 */
import { ENV, NO_DEADLINE, PATH } from "@tiphys/base/constants";
import { ExecutorError } from "../failure.ts";
import { killContainers } from "./kill_containers.ts";
import { at, type World } from "../world.ts";

/** The time by which the pod must finish its work. Dispose of it to cancel the timer. */
export interface Deadline extends Disposable {
  /** Aborted at the deadline. The reason is an {@link ExecutorError} that names the deadline. */
  readonly reached: AbortSignal;
}

/** Opens the earliest deadline of the environment. Without one, `reached` is never aborted. */
export async function openDeadline(world: World): Promise<Deadline> {
  const reached = new AbortController();
  const [first] = (await deadlinesOf(world)).toSorted((a, b) => a.time - b.time);
  const tell = (message: string) => reached.abort(new ExecutorError(message, { stage: "deadline" }));
  const takeBack = first ? world.clock.after(first.time - world.clock.now(), () => tell(first.message)) : () => {};
  return { reached: reached.signal, [Symbol.dispose]: takeBack };
}

interface Limit {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly message: string;
}

async function deadlinesOf(world: World): Promise<Limit[]> {
  const limits: Limit[] = [];
  const end = world.env(ENV.deadline);
  if (end && end !== NO_DEADLINE) limits.push({ time: Date.parse(end), message: "Step exceeded its deadline" });
  const seconds = Number(world.env(ENV.activeDeadline));
  if (seconds > 0) {
    // The message that a kubelet uses for this limit.
    const message = "Pod was active on the node longer than the specified deadline";
    limits.push({ time: await podStartMillis(world) + seconds * 1000, message });
  }
  return limits;
}

/**
 * The start time of the pod, in milliseconds since the epoch. It is an estimate: the modification time of the pod's
 * first volume.
 */
async function podStartMillis(world: World): Promise<number> {
  const now = world.clock.now();
  const made = await Deno.stat(at(world, PATH.varRunArgo)).then(({ mtime }) => mtime, () => null);
  return Math.min(now, made?.getTime() ?? now);
}

/** The enforcement of a deadline for some containers. Dispose of it to stop enforcing. */
export interface Enforcement extends Disposable {
  /** Aborted when a container did not exit even after SIGKILL. */
  readonly inVain: AbortSignal;
}

/** Terminates the given containers when the deadline is reached. */
export function enforceDeadline({ reached }: Deadline, world: World, containers: readonly string[]): Enforcement {
  const over = new AbortController();
  const inVain = new AbortController();
  const end = () =>
    void killContainers(world, containers, over.signal).catch((error) => {
      if (!over.signal.aborted) inVain.abort(error);
    });
  if (reached.aborted) end();
  else reached.addEventListener("abort", end, { once: true });
  return {
    inVain: inVain.signal,
    [Symbol.dispose]() {
      reached.removeEventListener("abort", end);
      over.abort();
    },
  };
}
