/** The deadline that the executor itself keeps: main is asked to end, then killed (spec/pods 2.5). */
import { ENV, NO_DEADLINE } from "../lib/constants.ts";
import { describe } from "./failure.ts";
import { sendSignal } from "./signals.ts";
import { graceSeconds, type World } from "./world.ts";

/** The longest time a timer takes, milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** A deadline being watched until it is disposed of. */
export interface Deadline extends Disposable {
  readonly passed: boolean;
}

/** Watches the deadline that the environment names, if any, for the containers that do the template's work. */
export function watchDeadline(world: World, containers: readonly string[]): Deadline {
  const text = world.env(ENV.deadline);
  const timers: ReturnType<typeof setTimeout>[] = [];
  let passed = false;
  const after = (millis: number, act: () => void) =>
    timers.push(setTimeout(act, Math.min(Math.max(0, millis), LONGEST_TIMER)));
  const send = (signal: number) => {
    for (const container of containers) {
      sendSignal(world, container, signal).catch((error) => world.log(describe(error)));
    }
  };
  if (text && text !== NO_DEADLINE) {
    after(Date.parse(text) - Date.now(), () => {
      passed = true;
      send(15);
      after(graceSeconds(world) * 1000, () => send(9));
    });
  }
  return {
    get passed() {
      return passed;
    },
    [Symbol.dispose]: () => timers.forEach((timer) => clearTimeout(timer)),
  };
}
