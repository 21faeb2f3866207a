/** Faults as data: drawn from a seed, or given as the trace of an earlier run. */
import { Chance } from "./chance.ts";

/** A fault at one place: a request of a process, one of its watches, a pod, a clock; or an action of a user. */
export interface Fault {
  /**
   * The place: `A1 request 17` is the seventeenth request of the first life of process A, `pod .step 2` the second pod
   * of a node, `clock A` the clock of process A, `person 1` the first user who acts.
   */
  readonly at: string;
  readonly kind: FaultKind;
  /** Milliseconds, or the status code of the refusal. */
  readonly value?: number;
}

/** The faults of a request, in the order of the table of probabilities. */
export const REQUEST_FAULTS = [
  /** The server refuses and does nothing; `value` is the code. */
  "refused",
  /** For `value`, every request of the process is refused with 403, as while roles are being applied. */
  "forbidden",
  /** The connection breaks before the server receives the request. */
  "unsent",
  /** The server handles the request, and the response is lost. */
  "answerLost",
  /** The server handles the request, and the body of its response is truncated. */
  "answerCut",
  /** The response arrives `value` later. */
  "late",
  /** The process dies before it sends the request. */
  "crashBefore",
  /** The process dies after the request is handled, before the response arrives. */
  "crashAfter",
  /** The process is paused for `value` after sending the request. */
  "pause",
  /** The API server restarts: watches end, requests fail for `value`, and its watch history is lost. */
  "restart",
  /** The wall clock of the process is set `value` forward, or back if `value` is negative. */
  "clockSet",
] as const;

/** The faults of a watch. */
export const WATCH_FAULTS = [
  /** The connection breaks after `value` events. */
  "cut",
  /** The server closes the watch normally after `value` events. */
  "ended",
  /** The resource version at which it starts is too old. */
  "expired",
  /** After `value` events no more arrive, and the connection stays open. */
  "silent",
  /** Every event arrives `value` later. */
  "behind",
  /** Every event arrives twice. */
  "doubled",
  /** The connection breaks in the middle of the event that follows `value` others. */
  "torn",
] as const;

/** The faults of a pod. */
export const POD_FAULTS = [
  /** Its machine is short of a resource and evicts it, `value` after it started. */
  "evicted",
  /** Its machine is lost, `value` after it started; the cluster notices some minutes later. */
  "machineLost",
  /** A user deletes it, `value` after its creation. */
  "podDeleted",
  /** Its executor is killed together with main, without a report, `value` after it started. */
  "executorKilled",
  /** Its image cannot be pulled at first: it starts `value` later. */
  "slowImage",
  /** Its end is visible `value` after its report. */
  "slowStatus",
  /** Every status is written twice. */
  "saidTwice",
  /** Another pod overwrites its report with a success and other outputs, `value` after it started. */
  "forged",
] as const;

/** Random actions of users, `value` after the workflow was submitted. */
export const PEOPLE_FAULTS = [
  "stop",
  "terminate",
  "deleteWorkflow",
  "retry",
  /** Suspends the workflow, and resumes it later. */
  "suspend",
  /** Labels the workflow and annotates a pod. */
  "edit",
  /** Edits the controller's ConfigMap. */
  "configure",
] as const;

/** The faults of a clock: it is `value` ahead. */
export const CLOCK_FAULTS = ["skew"] as const;

/** The faults, by the kind of their place. */
export const FAULTS = {
  request: REQUEST_FAULTS,
  watch: WATCH_FAULTS,
  pod: POD_FAULTS,
  person: PEOPLE_FAULTS,
  clock: CLOCK_FAULTS,
} as const;

export type Family = keyof typeof FAULTS;
export type FaultKind = (typeof FAULTS)[Family][number];

/** Faults that may change the result of a workflow. */
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

/** The maximum number of users that may act in a run. */
export const PEOPLE = 3;

/**
 * The likelihood of each kind of fault: `has` is the probability that a seed has it at all, and `frequency` the highest
 * rate at which it then occurs.
 */
export type Likelihood = Readonly<Partial<Record<FaultKind, { readonly has: number; readonly frequency: number }>>>;

const USUAL: Required<Likelihood> = {
  refused: { has: 0.6, frequency: 0.15 },
  forbidden: { has: 0.15, frequency: 0.01 },
  unsent: { has: 0.4, frequency: 0.1 },
  answerLost: { has: 0.5, frequency: 0.15 },
  answerCut: { has: 0.2, frequency: 0.05 },
  late: { has: 0.4, frequency: 0.1 },
  crashBefore: { has: 0.3, frequency: 0.03 },
  crashAfter: { has: 0.3, frequency: 0.03 },
  pause: { has: 0.3, frequency: 0.02 },
  restart: { has: 0.15, frequency: 0.01 },
  cut: { has: 0.4, frequency: 0.5 },
  ended: { has: 0.2, frequency: 0.5 },
  expired: { has: 0.3, frequency: 0.3 },
  silent: { has: 0.2, frequency: 0.2 },
  behind: { has: 0.4, frequency: 0.6 },
  doubled: { has: 0.2, frequency: 0.5 },
  torn: { has: 0.2, frequency: 0.3 },
  clockSet: { has: 0.1, frequency: 0.01 },
  evicted: { has: 0.1, frequency: 0.3 },
  machineLost: { has: 0.08, frequency: 0.3 },
  podDeleted: { has: 0.1, frequency: 0.3 },
  executorKilled: { has: 0.08, frequency: 0.3 },
  slowImage: { has: 0.2, frequency: 0.3 },
  slowStatus: { has: 0.2, frequency: 0.3 },
  saidTwice: { has: 0.2, frequency: 0.5 },
  forged: { has: 0.2, frequency: 0.4 },
  stop: { has: 0.06, frequency: 0.7 },
  terminate: { has: 0.06, frequency: 0.7 },
  deleteWorkflow: { has: 0.05, frequency: 0.7 },
  retry: { has: 0.1, frequency: 0.7 },
  suspend: { has: 0.15, frequency: 0.7 },
  edit: { has: 0.2, frequency: 0.7 },
  configure: { has: 0.2, frequency: 0.7 },
  skew: { has: 0.2, frequency: 1 },
};

const NEVER = { has: 0, frequency: 0 } as const;

/** The status codes with which a busy or broken server refuses. */
export const REFUSALS = [408, 409, 429, 500, 502, 503, 504, 507] as const;

/** Decides which fault occurs at a place. */
export interface FaultPlan {
  at(family: Family, place: string): Fault | undefined;
}

/** A plan without faults. */
export const NO_FAULTS: FaultPlan = { at: () => undefined };

/** A plan of exactly these faults. */
export function createGivenFaults(faults: readonly Fault[]): FaultPlan {
  const places = new Map(faults.map((fault) => [fault.at, fault]));
  return { at: (_family, place) => places.get(place) };
}

/** The faults of a seed: some kinds of them, each with its own probability. */
export function createRandomFaults(seed: string, likelihood: Likelihood = USUAL): FaultPlan {
  const chance = new Chance(`${seed} faults`);
  const share = (kind: FaultKind): number => {
    const { has, frequency } = likelihood[kind] ?? NEVER;
    return chance.numberFor("has", kind) < has ? frequency * chance.numberFor("most", kind) : 0;
  };
  const shares = new Map(Object.values(FAULTS).flat().map((kind) => [kind as FaultKind, share(kind)]));
  return {
    at(family, index) {
      let drawn = chance.numberFor(index);
      for (const kind of FAULTS[family]) {
        const own = shares.get(kind)!;
        if (drawn < own) return faultOf(kind, index, chance);
        drawn -= own;
      }
      return undefined;
    },
  };
}

const HOUR = 3_600_000;

function faultOf(kind: FaultKind, place: string, chance: Chance): Fault {
  const value = (minimum: number, maximum: number): Fault => ({
    at: place,
    kind,
    value: Math.floor(chance.integerBetween(minimum, maximum, place, "value")),
  });
  switch (kind) {
    case "refused":
      return { at: place, kind, value: chance.oneOf(REFUSALS, place, "code") };
    case "forbidden":
      return value(1000, 60_000);
    case "late":
      return chance.numberFor(place, "long") < 0.2 ? value(3000, 60_000) : value(100, 3000);
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
      return { at: place, kind };
  }
}
