/** Families of phases: what a colour and a glyph say, the same for runs and for nodes. */

/** The families, in the order in which a person wants to hear of them. */
export const FAMILIES = ["failed", "error", "waits", "works", "done", "idle"] as const;

/** A family of phases. */
export type Family = typeof FAMILIES[number];

/** The signs that stand for phases. */
export type Glyph =
  | "failed"
  | "error"
  | "pending"
  | "suspended"
  | "works"
  | "done"
  | "cached"
  | "idle"
  | "planned"
  | "artifact";

/** The look of a phase. */
export interface PhaseLook {
  readonly family: Family;
  readonly glyph: Glyph;
  readonly word: string;
}

const LOOKS: Readonly<Record<string, PhaseLook>> = {
  Running: { family: "works", glyph: "works", word: "Running" },
  Succeeded: { family: "done", glyph: "done", word: "Succeeded" },
  Failed: { family: "failed", glyph: "failed", word: "Failed" },
  Error: { family: "error", glyph: "error", word: "Error" },
  Pending: { family: "waits", glyph: "pending", word: "Pending" },
  Suspended: { family: "waits", glyph: "suspended", word: "Suspended" },
  Skipped: { family: "idle", glyph: "idle", word: "Skipped" },
  Omitted: { family: "idle", glyph: "idle", word: "Omitted" },
};

/** The look of a phase; without a phase, that of something still to come. */
export function lookOfPhase(phase: string | undefined): PhaseLook {
  if (phase === undefined || phase === "") return LOOKS.Pending!;
  return Object.hasOwn(LOOKS, phase) ? LOOKS[phase]! : { family: "idle", glyph: "idle", word: phase };
}

/** The facts of a run from which its look follows. */
export interface RunFacts {
  readonly spec: { readonly suspend?: boolean | undefined };
  /** Lists, which have no nodes, say `waitsOnly` where no node is at work and one waits; Argo's server does not. */
  readonly status?: { readonly phase?: string | undefined; readonly waitsOnly?: boolean } | undefined;
}

/** The look of a run: one that is held, or waits only, is no longer at work. */
export function lookOfRun({ spec, status }: RunFacts): PhaseLook {
  const look = lookOfPhase(status?.phase);
  return (spec.suspend || status?.waitsOnly) && (look.family === "works" || look.family === "waits")
    ? LOOKS.Suspended!
    : look;
}
