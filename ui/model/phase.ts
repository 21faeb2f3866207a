/** Families of phases, which determine the color and the icon of runs and nodes. */

/** The families, most urgent first. */
export const FAMILIES = ["failed", "error", "waits", "works", "done", "idle"] as const;

/** A family of phases. */
export type PhaseFamily = typeof FAMILIES[number];

/** The icons of phases. */
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

/** The display of a phase. */
export interface PhaseLook {
  readonly family: PhaseFamily;
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

/** Returns the display of a phase; without a phase that of a pending node. */
export function lookOfPhase(phase: string | undefined): PhaseLook {
  if (phase === undefined || phase === "") return LOOKS.Pending!;
  return Object.hasOwn(LOOKS, phase) ? LOOKS[phase]! : { family: "idle", glyph: "idle", word: phase };
}

/** The fields of a run that determine its display. */
export interface RunFacts {
  readonly spec: { readonly suspend?: boolean | undefined };
  /**
   * Lists have no nodes: Tiphys' server sets `waitsOnly` if no node is running and one waits for a person. Argo's
   * server does not.
   */
  readonly status?: { readonly phase?: string | undefined; readonly waitsOnly?: boolean } | undefined;
}

/** Returns the display of a run. A suspended run, and one that only waits for a person, does not count as running. */
export function lookOfRun({ spec, status }: RunFacts): PhaseLook {
  const look = lookOfPhase(status?.phase);
  return (spec.suspend || status?.waitsOnly) && (look.family === "works" || look.family === "waits")
    ? LOOKS.Suspended!
    : look;
}
