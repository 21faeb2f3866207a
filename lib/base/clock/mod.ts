/** Time, handed in: the clock of the machine, or one that a test moves (`testing/`), and the one way to wait. */
export { type Clock, pause, systemClock } from "./clock.ts";
