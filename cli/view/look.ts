/** The look of output: colors, and the signs of phases. */
import type { NodeStatus } from "@tiphys/model/api";
import { isActiveSuspend } from "@tiphys/model/status";
import colors from "picocolors";

type Colors = ReturnType<typeof colors.createColors>;
type Paint = (text: string) => string;

/** Colours or none; signs or words. */
export interface Look {
  readonly paint: Colors;
  readonly utf8: boolean;
}

/** Facts that decide the look. */
export interface LookOptions {
  readonly color: boolean;
  readonly utf8: boolean;
  readonly noColor: string | undefined;
  readonly term: string | undefined;
  readonly isTerminal: boolean;
}

/** The look for these flags, this environment and this output. */
export function lookFor({ color, utf8, noColor, term, isTerminal }: LookOptions): Look {
  return { paint: colors.createColors(color && !noColor && term !== "dumb" && isTerminal), utf8 };
}

/** A look without colours. */
export const PLAIN: Look = { paint: colors.createColors(false), utf8: true };

const PHASES: Readonly<Record<string, { readonly sign: string; readonly color: keyof Colors }>> = {
  Pending: { sign: "◷", color: "yellow" },
  Running: { sign: "●", color: "cyan" },
  Succeeded: { sign: "✔", color: "green" },
  Skipped: { sign: "○", color: "reset" },
  Omitted: { sign: "○", color: "reset" },
  Failed: { sign: "✖", color: "red" },
  Error: { sign: "⚠", color: "red" },
};

/** The sign of a node, or its word where signs cannot be shown. */
export function iconOf(node: NodeStatus, look: Look): string {
  if (isActiveSuspend(node)) return look.paint.cyan(look.utf8 ? "ǁ" : "Suspend");
  return phaseIcon(node.phase ?? "Pending", look);
}

/** The sign of a phase. */
export function phaseIcon(phase: string, look: Look): string {
  const known = PHASES[phase];
  if (!known) return phase;
  return (look.paint[known.color] as Paint)(look.utf8 ? known.sign : phase);
}

/** The text of a status, `Running (Suspended)`, in the color of its phase. */
export function paintPhase(status: string, look: Look): string {
  const known = PHASES[status.split(" ")[0] ?? ""];
  return known ? (look.paint[known.color] as Paint)(status) : status;
}

const NAME_COLORS = ["green", "yellow", "blue", "magenta", "cyan", "white"] as const;

/** A name in a color that depends on the name only. */
export function paintName(name: string, look: Look): string {
  let sum = 0;
  for (const character of name) sum += character.codePointAt(0)!;
  return look.paint[NAME_COLORS[sum % NAME_COLORS.length] ?? "white"](name);
}
