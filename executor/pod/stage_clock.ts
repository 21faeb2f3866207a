/** The clock of a container's stages, for the trace of its node. */
import { ENV, PATH } from "../../lib/constants.ts";
import {
  formatStageTimes,
  LAST_STAGE,
  parseStageTimes,
  type StageName,
  type StageTime,
} from "../../lib/stage_times.ts";
import { at, type World } from "../world.ts";

/** The file with the stages of `init`, which reports nothing: `wait` tells them. */
const HANDED_OVER = `${PATH.varRunArgo}/stage-times`;

/** Bytes of that file that are read: more than all stages have. */
const MOST_BYTES = 1024;

/** Notes how long stages take. */
export interface StageClock {
  /** Does a stage; it has failed where it throws, and where `hasFailed` says so of its result. */
  time<T>(name: StageName, act: () => Promise<T>, hasFailed?: (result: T) => boolean): Promise<T>;
  /** The stages that are over, and the last write of the report, which begins now, as the annotation of it has them. */
  told(): string | undefined;
  /** Hands the stages that are over to the container that reports. */
  handOver(): void;
}

/** The clock of a container whose node nobody traces. */
const UNTRACED: StageClock = { time: (_name, act) => act(), told: () => undefined, handOver() {} };

/** The clock of this container, which notes nothing where its environment names no trace. */
export function stageClock(world: World): StageClock {
  if (!world.env(ENV.traceParent)) return UNTRACED;
  const over: StageTime[] = [];
  return {
    async time(name, act, isFailure = () => false) {
      const began = world.clock.now();
      let hasFailed = true;
      try {
        const result = await act();
        hasFailed = isFailure(result);
        return result;
      } finally {
        over.push({ name, began, ended: world.clock.now(), hasFailed });
      }
    },
    told() {
      const now = world.clock.now();
      const last: StageTime = { name: LAST_STAGE, began: now, ended: now, hasFailed: false };
      return formatStageTimes([...handedOver(world), ...over, last]);
    },
    handOver: () => world.files.write(at(world, HANDED_OVER), formatStageTimes(over), 0o444),
  };
}

/** The stages of `init`; none of a file that a user's container has put in its place and that cannot be read. */
function handedOver(world: World): StageTime[] {
  try {
    return parseStageTimes(world.files.read(at(world, HANDED_OVER), MOST_BYTES))
      .filter(({ name }) => name === "load_artifacts");
  } catch {
    return [];
  }
}
