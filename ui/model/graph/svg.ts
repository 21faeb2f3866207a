/** The graph as a self-contained image, with its colors, for documents and slides. */
import { curveThrough } from "./curve.ts";
import { cutLabel } from "./cut_label.ts";
import type { Picture, PlacedPart } from "./layout.ts";
import type { Shade, Tints } from "./tint.ts";

/** The colors of the light theme, because images do not follow themes. */
const COLOURS = {
  failed: "#87261e",
  error: "#9e1ea9",
  waits: "#946617",
  works: "#294779",
  done: "#227e5d",
  idle: "#525960",
} as const;

/** Text on a shade. */
const TEXT = "#14181d";

/** The shades of the light theme, as in the design tokens. */
export const SHADE_COLOURS: Readonly<Record<Shade, string>> = {
  "heat-1": "#fbf1e9",
  "heat-2": "#fee4ce",
  "heat-3": "#fed7b7",
  "heat-4": "#feca9d",
  "heat-5": "#febd83",
  "kind-1": "#76d9ff",
  "kind-2": "#eec651",
  "kind-3": "#a6fed7",
  "kind-4": "#dae9fe",
  "kind-5": "#c2d58a",
  "kind-6": "#f6ed77",
  "kind-7": "#a8d6cc",
};

const GLYPHS = { failed: "✖", error: "⚠", waits: "◷", works: "●", done: "✔", idle: "○" } as const;
const MARGIN = 16;

/** Returns an SVG document. Labels are escaped. */
export function toSvg({ width, height, placed, routes }: Picture, tints?: Tints): string {
  const size = [width + 2 * MARGIN, height + 2 * MARGIN].map(Math.ceil);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-MARGIN} ${-MARGIN} ${size.join(" ")}" width="${size[0]}" ` +
    `height="${size[1]}" font-family="system-ui, sans-serif" font-size="13">`,
    `<rect x="${-MARGIN}" y="${-MARGIN}" width="100%" height="100%" fill="#ffffff"/>`,
    ...routes.map(({ points, kind }) =>
      `<path d="${curveThrough(points)}" fill="none" stroke="#868f99"${
        kind === "hook" ? ' stroke-dasharray="2 3"' : ""
      }/>`
    ),
    ...placed.flatMap((placedPart) => drawPart(placedPart, tints)),
    "</svg>",
  ].join("\n") + "\n";
}

function drawPart({ part, x, y, width, height, isOpen }: PlacedPart, tints: Tints | undefined): string[] {
  const colour = COLOURS[part.family];
  const tint = tints?.tintOf(part);
  const fill = isOpen ? "none" : tint ? SHADE_COLOURS[tint.shade] : "#ffffff";
  const dash = part.isPlanned ? ' stroke-dasharray="5 4"' : "";
  const glyph = part.isPlanned || part.declared !== undefined ? "" : `${GLYPHS[part.family]} `;
  return [
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6" fill="${fill}" ` +
    `stroke="${colour}"${dash}/>`,
    `<text x="${x + 12}" y="${y + (isOpen ? 19 : height / 2 + 5)}" fill="${tint && !isOpen ? TEXT : colour}">${
      escapeXml(glyph + cutToWidth(part.label, width))
    }</text>`,
  ];
}

function cutToWidth(label: string, width: number): string {
  return cutLabel(label, Math.floor((width - 32) / 7));
}

function escapeXml(text: string): string {
  return text.replaceAll(/[<>&"\p{Cc}]/gu, (sign) => `&#${Math.max(32, sign.codePointAt(0)!)};`);
}
