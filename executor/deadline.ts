/** The deadline that the executor itself keeps: main is asked to end, then killed (spec/pods 2.5). */
import { ENV, NO_DEADLINE } from "../lib/constants.ts";
import { killContainers } from "./kill_containers.ts";
import type { World } from "./world.ts";

/** A deadline being watched until it is disposed of. */
export interface Deadline extends Disposable {
  readonly passed: boolean;
  /** Aborted when the deadline passed and somebody did not end even by being killed. */
  readonly inVain: AbortSignal;
}

/** Watches the deadline that the environment names, if any, for the containers that do the template's work. */
export function watchDeadline(world: World, containers: readonly string[]): Deadline {
  const text = world.env(ENV.deadline);
  const over = new AbortController();
  const inVain = new AbortController();
  let passed = false;
  const enforce = async () => {
    passed = true;
    try {
      await killContainers(world, containers, over.signal);
    } catch (error) {
      if (!over.signal.aborted) inVain.abort(error);
    }
  };
  const takeBack = text && text !== NO_DEADLINE
    ? world.clock.after(Date.parse(text) - world.clock.now(), () => void enforce())
    : undefined;
  return {
    get passed() {
      return passed;
    },
    inVain: inVain.signal,
    [Symbol.dispose]() {
      takeBack?.();
      over.abort();
    },
  };
}
