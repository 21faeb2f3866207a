/** Icons of phases in the color of their family, with the name for screen readers. */
import type { Glyph, PhaseLook } from "../model/phase.ts";

export const GLYPH_SHAPES: Readonly<Record<Glyph, string>> = {
  works: "M8 2a6 6 0 1 1-6 6",
  done: "M3 8.5 6.5 12 13 4.5",
  cached: "M3 4.5c0-2 10-2 10 0v7c0 2-10 2-10 0zm0 0c0 2 10 2 10 0M5.5 9.5 7.3 11l3.4-3.6",
  failed: "M4 4l8 8M12 4l-8 8",
  error: "M8 2 15 14H1zM8 6.5v3.2M8 11.6v.6",
  pending: "M8 2a6 6 0 1 0 .01 0M8 5v3.3l2.2 1.6",
  suspended: "M5.5 3v10M10.5 3v10",
  idle: "M8 3.5a4.5 4.5 0 1 0 .01 0",
  artifact: "M4 1.5h5L12.5 5v9.5H4zM9 1.5V5h3.5",
  planned: "M8 3.5a4.5 4.5 0 1 0 .01 0",
};

/** The icon of a phase with its name, which may be visible to screen readers only. */
export function PhaseGlyph({ look, withWord = false }: { look: PhaseLook; withWord?: boolean }) {
  return (
    <span class={`phase phase-${look.family}`}>
      <svg
        class={`glyph glyph-${look.glyph}`}
        viewBox="0 0 16 16"
        role={withWord ? "presentation" : "img"}
        aria-label={withWord ? undefined : look.word}
        aria-hidden={withWord ? "true" : undefined}
      >
        <path d={GLYPH_SHAPES[look.glyph]} />
      </svg>
      {withWord && <span>{look.word}</span>}
    </span>
  );
}
