/** Icons of the pages in the navigation. */

const SHAPES = {
  runs: "M2 4h12M2 8h8M2 12h10",
  templates: "M3 2h7l3 3v9H3zM10 2v3h3",
  schedules: "M8 2a6 6 0 1 0 .01 0M8 4.5V8l2.5 1.5",
  events: "M9 1.5 3.5 9H8l-1 5.5L12.5 7H8z",
  reports: "M3 13V8M8 13V3M13 13V6",
  you: "M8 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6M2.5 14a5.5 5.5 0 0 1 11 0",
  help: "M6 6a2 2 0 1 1 2.6 1.9c-.4.2-.6.5-.6 1v.6M8 12v.1M8 1.5a6.5 6.5 0 1 0 .01 0",
  search: "M7 2.5a4.5 4.5 0 1 0 .01 0M10.5 10.5 14 14",
} as const;

/** The name of an icon. */
export type NavGlyphName = keyof typeof SHAPES;

/** The icon; the text next to it is its label. */
export function NavGlyph({ name }: { name: NavGlyphName }) {
  return (
    <svg class="glyph" viewBox="0 0 16 16" aria-hidden="true">
      <path d={SHAPES[name]} />
    </svg>
  );
}
