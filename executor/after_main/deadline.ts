/**
 * The deadlines that the executor itself keeps: what is being loaded is given up, main is asked to end, then killed, and
 * what it left is saved.
 */
import { ENV, NO_DEADLINE, PATH } from "../../lib/constants.ts";
import { ExecutorError } from "../failure.ts";
import { killContainers } from "./kill_containers.ts";
import { at, type World } from "../world.ts";

/** The time by which the pod's work must be done, until it is disposed of. */
export interface Deadline extends Disposable {
  /** Aborted when it has come, with an {@link ExecutorError} that tells which one. */
  readonly reached: AbortSignal;
}

/** Opens the earliest of the deadlines that the environment names; one that never comes when it names none. */
export async function openDeadline(world: World): Promise<Deadline> {
  const reached = new AbortController();
  const [first] = (await deadlinesOf(world)).toSorted((a, b) => a.time - b.time);
  const tell = (message: string) => reached.abort(new ExecutorError(message, { stage: "deadline" }));
  const takeBack = first ? world.clock.after(first.time - world.clock.now(), () => tell(first.message)) : () => {};
  return { reached: reached.signal, [Symbol.dispose]: takeBack };
}

interface Limit {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly message: string;
}

async function deadlinesOf(world: World): Promise<Limit[]> {
  const limits: Limit[] = [];
  const end = world.env(ENV.deadline);
  if (end && end !== NO_DEADLINE) limits.push({ time: Date.parse(end), message: "Step exceeded its deadline" });
  const seconds = Number(world.env(ENV.activeDeadline));
  if (seconds > 0) {
    // The words of a kubelet that keeps this limit.
    const message = "Pod was active on the node longer than the specified deadline";
    limits.push({ time: await podBegan(world) + seconds * 1000, message });
  }
  return limits;
}

/**
 * The moment at which the pod began, in milliseconds since 1970, as well as can be told from inside: its first volume
 * was made then, or first written to.
 */
async function podBegan(world: World): Promise<number> {
  const now = world.clock.now();
  const made = await Deno.stat(at(world, PATH.varRunArgo)).then(({ mtime }) => mtime, () => null);
  return Math.min(now, made?.getTime() ?? now);
}

/** Containers that are ended when a deadline comes, until this is disposed of. */
export interface Enforcement extends Disposable {
  /** Aborted when one of them did not end even by being killed. */
  readonly inVain: AbortSignal;
}

/** Ends the containers that do the template's work when the deadline comes. */
export function enforce({ reached }: Deadline, world: World, containers: readonly string[]): Enforcement {
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
