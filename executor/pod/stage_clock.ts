/** Measurement of a container's stages, for the trace of its node. */
import { ENV, PATH } from "@tiphys/base/constants";
import {
  formatStageTimes,
  LAST_STAGE,
  parseStageTimes,
  type StageName,
  type StageTime,
} from "@tiphys/base/stage_times";
import { at, type World } from "../world.ts";

/** The file in which `init`, which writes no report, passes its stages to `wait`. */
const INIT_STAGES = `${PATH.varRunArgo}/stage-times`;

/** The maximum number of bytes to read of that file. All stages together need fewer. */
const MAX_BYTES = 1024;

/** Measures how long stages take. */
export interface StageClock {
  /** Runs and measures a stage. It counts as failed if it throws, or if `hasFailed` returns true for its result. */
  time<T>(name: StageName, act: () => Promise<T>, hasFailed?: (result: T) => boolean): Promise<T>;
  /** Returns the completed stages as an annotation, including the final write of the report, which starts now. */
  annotation(): string | undefined;
  /** Passes the completed stages to the container that reports. */
  handOver(): void;
}

/** The clock of a container whose node is not traced. */
const UNTRACED: StageClock = { time: (_name, act) => act(), annotation: () => undefined, handOver() {} };

/** Returns the clock of this container. It measures nothing if the environment contains no trace. */
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
    annotation() {
      const now = world.clock.now();
      const last: StageTime = { name: LAST_STAGE, began: now, ended: now, hasFailed: false };
      return formatStageTimes([...readInitStages(world), ...over, last]);
    },
    handOver: () => world.files.write(at(world, INIT_STAGES), formatStageTimes(over), 0o444),
  };
}

/**
 * Returns the stages of `init`. Returns an empty list if the file cannot be read: a user's container may have replaced
 * it.
 */
function readInitStages(world: World): StageTime[] {
  try {
    return parseStageTimes(world.files.read(at(world, INIT_STAGES), MAX_BYTES))
      .filter(({ name }) => name === "load_artifacts");
  } catch {
    return [];
  }
}
