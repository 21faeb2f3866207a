/** The clock of a container's stages, for the trace of its node. */
import { ENV } from "../../lib/constants.ts";
import { formatStageTimes, type StageName, type StageTime } from "../../lib/stage_times.ts";
import type { World } from "../world.ts";

/** Notes how long stages take. */
export interface StageClock {
  /** Does a stage; it has failed where it throws, and where `hasFailed` says so of its result. */
  time<T>(name: StageName, act: () => Promise<T>, hasFailed?: (result: T) => boolean): Promise<T>;
  /** The stages that are over, as the annotation of a report has them; undefined where there is none. */
  told(): string | undefined;
}

/** The clock of a container whose node nobody traces. */
const UNTRACED: StageClock = { time: (_name, act) => act(), told: () => undefined };

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
    told: () => over.length > 0 ? formatStageTimes(over) : undefined,
  };
}
