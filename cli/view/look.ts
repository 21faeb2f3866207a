/** The look of output: colors and symbols of phases. */
import type { NodeStatus } from "@tiphys/model/api";
import { isActiveSuspend } from "@tiphys/model/status";
import colors from "picocolors";

type Colors = ReturnType<typeof colors.createColors>;
type Paint = (text: string) => string;

/** Whether output has colors, and symbols or words. */
export interface Look {
  readonly paint: Colors;
  readonly utf8: boolean;
}

/** Inputs of {@link detectLook}. */
export interface LookOptions {
  readonly color: boolean;
  readonly utf8: boolean;
  readonly noColor: string | undefined;
  readonly term: string | undefined;
  readonly isTerminal: boolean;
}

/** Returns the look for the flags, environment and output. */
export function detectLook({ color, utf8, noColor, term, isTerminal }: LookOptions): Look {
  return { paint: colors.createColors(color && !noColor && term !== "dumb" && isTerminal), utf8 };
}

/** A look without colors. */
export const PLAIN: Look = { paint: colors.createColors(false), utf8: true };

const PHASES: Readonly<Record<string, { readonly symbol: string; readonly color: keyof Colors }>> = {
  Pending: { symbol: "◷", color: "yellow" },
  Running: { symbol: "●", color: "cyan" },
  Succeeded: { symbol: "✔", color: "green" },
  Skipped: { symbol: "○", color: "reset" },
  Omitted: { symbol: "○", color: "reset" },
  Failed: { symbol: "✖", color: "red" },
  Error: { symbol: "⚠", color: "red" },
};

/** Returns the symbol of a node, or a word without UTF-8. */
export function iconOf(node: NodeStatus, look: Look): string {
  if (isActiveSuspend(node)) return look.paint.cyan(look.utf8 ? "ǁ" : "Suspend");
  return phaseIcon(node.phase ?? "Pending", look);
}

/** Returns the symbol of a phase, or the phase without UTF-8. */
export function phaseIcon(phase: string, look: Look): string {
  const known = PHASES[phase];
  if (!known) return phase;
  return (look.paint[known.color] as Paint)(look.utf8 ? known.symbol : phase);
}

/** Returns a status text, such as `Running (Suspended)`, in the color of its phase. */
export function paintPhase(status: string, look: Look): string {
  const known = PHASES[status.split(" ")[0] ?? ""];
  return known ? (look.paint[known.color] as Paint)(status) : status;
}

const NAME_COLORS = ["green", "yellow", "blue", "magenta", "cyan", "white"] as const;

/** Returns a name in a color that depends on the name only. */
export function paintName(name: string, look: Look): string {
  let sum = 0;
  for (const character of name) sum += character.codePointAt(0)!;
  return look.paint[NAME_COLORS[sum % NAME_COLORS.length] ?? "white"](name);
}
