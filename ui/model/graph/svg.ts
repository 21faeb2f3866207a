/** The graph as a picture of its own, with its colours in it: for documents and slides. */
import { curveThrough } from "./curve.ts";
import type { Picture, Placed } from "./layout.ts";

/** The colours of the light theme: pictures go where themes do not. */
const COLOURS = {
  failed: "#87261e",
  error: "#9e1ea9",
  waits: "#946617",
  works: "#294779",
  done: "#227e5d",
  idle: "#525960",
} as const;

const GLYPHS = { failed: "✖", error: "⚠", waits: "◷", works: "●", done: "✔", idle: "○" } as const;
const MARGIN = 16;

/** An SVG document. Whatever the labels are, they are text in it. */
export function toSvg({ width, height, placed, routes }: Picture): string {
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
    ...placed.flatMap(drawn),
    "</svg>",
  ].join("\n") + "\n";
}

function drawn({ part, x, y, width, height, isOpen }: Placed): string[] {
  const colour = COLOURS[part.family];
  const dash = part.isPlanned ? ' stroke-dasharray="5 4"' : "";
  const glyph = part.isPlanned ? "" : `${GLYPHS[part.family]} `;
  return [
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="6" fill="${isOpen ? "none" : "#ffffff"}" ` +
    `stroke="${colour}"${dash}/>`,
    `<text x="${x + 12}" y="${y + (isOpen ? 19 : height / 2 + 5)}" fill="${colour}">${
      escaped(glyph + cut(part.label, width))
    }</text>`,
  ];
}

function cut(label: string, width: number): string {
  const most = Math.floor((width - 32) / 7);
  return label.length <= most ? label : `${label.slice(0, most - 1)}…`;
}

function escaped(text: string): string {
  return text.replaceAll(/[<>&"\p{Cc}]/gu, (sign) => `&#${Math.max(32, sign.codePointAt(0)!)};`);
}
