/** The faults, as data: drawn from a seed, or given as the trace of an earlier run. */
import { Chance } from "./chance.ts";

/** Something that goes wrong at one place: a request of a process, one of its watches, a pod, a clock; or that a person does. */
export interface Fault {
  /**
   * The place: `A1 request 17` is the seventeenth request of the first life of process A, `pod .step 2` the second pod
   * of a node, `clock A` that of process A, `person 1` the first person to come by.
   */
  readonly at: string;
  readonly kind: FaultKind;
  /** Milliseconds, or the code of the refusal. */
  readonly value?: number;
}

/** The faults of a request, in the order of the table of probabilities. */
export const REQUEST_FAULTS = [
  /** The server refuses, nothing is done; `value` is the code. */
  "refused",
  /** For a while, `value`, every request of the process is refused with 403, as by roles that are being applied. */
  "forbidden",
  /** The connection breaks before the server heard of it. */
  "unsent",
  /** The request is carried out, and its answer does not arrive. */
  "answerLost",
  /** The request is carried out, and the body of its answer ends in the middle. */
  "answerCut",
  /** The answer comes `value` later. */
  "late",
  /** The process dies before it sends the request. */
  "crashBefore",
  /** The process dies when the request is done, before its answer comes. */
  "crashAfter",
  /** The process is stopped for `value`, with the request sent. */
  "pause",
  /** The API server restarts: watches end, for `value` nobody is answered, and its history is forgotten. */
  "restart",
  /** The wall clock of the process is set: `value` later, or earlier where that is negative. */
  "clockSet",
] as const;

/** The faults of a watch. */
export const WATCH_FAULTS = [
  /** The watch breaks off after `value` events. */
  "cut",
  /** The watch is ended in good order after `value` events. */
  "ended",
  /** The version it begins at is too old. */
  "expired",
  /** After `value` events nothing comes any more, and the connection stays. */
  "silent",
  /** Every event comes `value` later. */
  "behind",
  /** Every event comes twice. */
  "doubled",
  /** The watch breaks off in the middle of the event that follows `value` others. */
  "torn",
] as const;

/** The faults of a pod. */
export const POD_FAULTS = [
  /** Its machine is short of something and ends it, `value` after it began to run. */
  "evicted",
  /** Its machine is gone, `value` after it began to run; some minutes later somebody notices. */
  "machineLost",
  /** A person deletes it, `value` after it was made. */
  "podDeleted",
  /** Its executor is killed with main, so that there is no report, `value` after it began to run. */
  "executorKilled",
  /** Its image cannot be pulled at first: it begins to run `value` later. */
  "slowImage",
  /** Its end is seen `value` after its report. */
  "slowStatus",
  /** Whatever is said of it is said twice. */
  "saidTwice",
  /** Another pod writes over its report that it succeeded, with outputs of its own, `value` after it began to run. */
  "forged",
] as const;

/** The acts of people by chance, `value` after the workflow was submitted. */
export const PEOPLE_FAULTS = [
  "stop",
  "terminate",
  "deleteWorkflow",
  "retry",
  /** Suspended, and resumed a while later. */
  "suspend",
  /** Somebody labels the workflow and annotates a pod. */
  "edit",
  /** Somebody edits the controller's ConfigMap. */
  "configure",
] as const;

/** The faults of a clock: it is `value` ahead. */
export const CLOCK_FAULTS = ["skew"] as const;

/** The faults by the family of their place. */
export const FAULTS = {
  request: REQUEST_FAULTS,
  watch: WATCH_FAULTS,
  pod: POD_FAULTS,
  person: PEOPLE_FAULTS,
  clock: CLOCK_FAULTS,
} as const;

export type Family = keyof typeof FAULTS;
export type FaultKind = (typeof FAULTS)[Family][number];

/** The faults after which a workflow may end otherwise than without them. */
export const ALTERING: ReadonlySet<FaultKind> = new Set<FaultKind>([
  "evicted",
  "machineLost",
  "podDeleted",
  "executorKilled",
  "stop",
  "terminate",
  "deleteWorkflow",
  "retry",
]);

/** The number of people who may come by in a run. */
export const PEOPLE = 3;

/**
 * The likelihood of each kind of fault: `has`, that a seed has it at all, and `most`, the highest rate at which it then
 * comes.
 */
export type Likelihood = Readonly<Partial<Record<FaultKind, { readonly has: number; readonly most: number }>>>;

const USUAL: Required<Likelihood> = {
  refused: { has: 0.6, most: 0.15 },
  forbidden: { has: 0.15, most: 0.01 },
  unsent: { has: 0.4, most: 0.1 },
  answerLost: { has: 0.5, most: 0.15 },
  answerCut: { has: 0.2, most: 0.05 },
  late: { has: 0.4, most: 0.1 },
  crashBefore: { has: 0.3, most: 0.03 },
  crashAfter: { has: 0.3, most: 0.03 },
  pause: { has: 0.3, most: 0.02 },
  restart: { has: 0.15, most: 0.01 },
  cut: { has: 0.4, most: 0.5 },
  ended: { has: 0.2, most: 0.5 },
  expired: { has: 0.3, most: 0.3 },
  silent: { has: 0.2, most: 0.2 },
  behind: { has: 0.4, most: 0.6 },
  doubled: { has: 0.2, most: 0.5 },
  torn: { has: 0.2, most: 0.3 },
  clockSet: { has: 0.1, most: 0.01 },
  evicted: { has: 0.1, most: 0.3 },
  machineLost: { has: 0.08, most: 0.3 },
  podDeleted: { has: 0.1, most: 0.3 },
  executorKilled: { has: 0.08, most: 0.3 },
  slowImage: { has: 0.2, most: 0.3 },
  slowStatus: { has: 0.2, most: 0.3 },
  saidTwice: { has: 0.2, most: 0.5 },
  forged: { has: 0.2, most: 0.4 },
  stop: { has: 0.06, most: 0.7 },
  terminate: { has: 0.06, most: 0.7 },
  deleteWorkflow: { has: 0.05, most: 0.7 },
  retry: { has: 0.1, most: 0.7 },
  suspend: { has: 0.15, most: 0.7 },
  edit: { has: 0.2, most: 0.7 },
  configure: { has: 0.2, most: 0.7 },
  skew: { has: 0.2, most: 1 },
};

const NEVER = { has: 0, most: 0 } as const;

/** The codes with which a busy or broken server refuses. */
export const REFUSALS = [408, 409, 429, 500, 502, 503, 504, 507] as const;

/** Says what goes wrong at a place. */
export interface FaultPlan {
  at(family: Family, place: string): Fault | undefined;
}

/** A plan without faults. */
export const NO_FAULTS: FaultPlan = { at: () => undefined };

/** The faults that were written down, and no others. */
export function givenFaults(faults: readonly Fault[]): FaultPlan {
  const places = new Map(faults.map((fault) => [fault.at, fault]));
  return { at: (_family, place) => places.get(place) };
}

/** The faults of a seed: some kinds of them, each with a probability of its own. */
export function drawnFaults(seed: string, likelihood: Likelihood = USUAL): FaultPlan {
  const chance = new Chance(`${seed} faults`);
  const share = (kind: FaultKind): number => {
    const { has, most } = likelihood[kind] ?? NEVER;
    return chance.of("has", kind) < has ? most * chance.of("most", kind) : 0;
  };
  const shares = new Map(Object.values(FAULTS).flat().map((kind) => [kind as FaultKind, share(kind)]));
  return {
    at(family, place) {
      let drawn = chance.of(place);
      for (const kind of FAULTS[family]) {
        const own = shares.get(kind)!;
        if (drawn < own) return faultOf(kind, place, chance);
        drawn -= own;
      }
      return undefined;
    },
  };
}

const HOUR = 3_600_000;

function faultOf(kind: FaultKind, at: string, chance: Chance): Fault {
  const value = (least: number, most: number): Fault => ({
    at,
    kind,
    value: Math.floor(chance.between(least, most, at, "value")),
  });
  switch (kind) {
    case "refused":
      return { at, kind, value: chance.oneOf(REFUSALS, at, "code") };
    case "forbidden":
      return value(1000, 60_000);
    case "late":
      return chance.of(at, "long") < 0.2 ? value(3000, 60_000) : value(100, 3000);
    case "pause":
      return value(1000, 120_000);
    case "restart":
      return value(500, 10_000);
    case "cut":
    case "ended":
    case "silent":
    case "torn":
      return value(0, 10);
    case "clockSet":
      return value(-2 * HOUR, 2 * HOUR);
    case "skew":
      return value(-HOUR / 12, HOUR / 12);
    case "evicted":
    case "machineLost":
    case "executorKilled":
    case "forged":
      return value(0, 10_000);
    case "podDeleted":
      return value(0, 15_000);
    case "slowImage":
      return value(1000, 120_000);
    case "slowStatus":
      return value(1000, 90_000);
    case "stop":
    case "terminate":
    case "deleteWorkflow":
    case "suspend":
    case "edit":
    case "configure":
      return value(0, 60_000);
    case "retry":
      return value(0, 240_000);
    case "behind":
      return value(100, 30_000);
    case "unsent":
    case "answerLost":
    case "answerCut":
    case "crashBefore":
    case "crashAfter":
    case "expired":
    case "doubled":
    case "saidTwice":
      return { at, kind };
  }
}
