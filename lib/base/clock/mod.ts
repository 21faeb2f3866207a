/** Time as a dependency: the system clock, a clock for tests (`testing/`), and the only function that waits. */
export { type Clock, pause, systemClock } from "./clock.ts";
