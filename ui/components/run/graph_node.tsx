/** A part of the graph as an element: its name, its phase by shape and color, and its duration. */
import { durationText, elapsedMillis } from "../../model/duration.ts";
import { NORMAL_LABEL } from "../../model/graph/camera.ts";
import { barSegmentsOf } from "../../model/graph/fold.ts";
import { type PlacedPart, SIZE } from "../../model/graph/layout.ts";
import type { Part } from "../../model/graph/part.ts";
import type { Tint } from "../../model/graph/tint.ts";
import { lookOfNode } from "../../model/node_look.ts";
import { lookOfPart } from "../../model/graph/part_look.ts";
import { shortCountsText, wordsOf } from "../../model/run/node_words.ts";
import * as words from "../../model/text/en/graph.ts";
import { GLYPH_SHAPES } from "../glyph.tsx";
import { cutToWidth, fontSizeFor } from "./graph_canvas.ts";

interface Props {
  readonly placed: PlacedPart;
  readonly id: string;
  readonly now: number;
  readonly isSelected: boolean;
  readonly isCursor: boolean;
  readonly isMarked: boolean;
  /** Its color, if it does not show the phase. */
  readonly tint?: Tint | undefined;
  /** The letter size of its name. If it is larger than normal, details are left out. */
  readonly size: number;
}

export function GraphNode({ placed, id, now, isSelected, isCursor, isMarked, tint, size }: Props) {
  const { part, x, y, width, height, isOpen } = placed;
  const look = lookOfPart(part);
  const isFar = size > NORMAL_LABEL;
  const withGlyph = part.declared === undefined && !part.isPlanned && size <= MAX_NAME_SIZE_WITH_DETAILS;
  const withPips = !isOpen && part.attempts.length > 1 && part.members.length === 0 &&
    size <= MAX_NAME_SIZE_WITH_DETAILS;
  const scale = size / NORMAL_LABEL;
  // Without a phase icon the name starts at the edge.
  const left = withGlyph || part.isPlanned && !isFar ? 16 + 16 * scale : 12;
  const room = width - left - (part.members.length ? 34 : 10);
  // A name that nearly fits is a little smaller instead of being cut.
  const max = isOpen ? Math.min(size, MAX_HEADER_NAME_SIZE) : size;
  const letters = isFar ? Math.max(0.75 * max, Math.min(max, fontSizeFor(part.label, room))) : size;
  // A name without a second line is in the middle.
  const base = !isFar ? 20 : withPips ? 6 + letters : (isOpen ? SIZE.header : height) / 2 + 0.35 * letters;
  const states = [
    isOpen && "open",
    part.isPlanned && "planned",
    isSelected && "selected",
    isCursor && "cursor",
    isMarked && "marked",
    part.artifact && "artifact",
    tint && !isOpen && `tinted shade-${tint.shade}`,
  ].filter(Boolean).join(" ");
  return (
    <g
      id={id}
      role="img"
      aria-label={tint ? words.tintedPart(wordsOf(part, now), tint.text) : wordsOf(part, now)}
      data-key={part.key}
      class={`part phase-${look.family} ${states}`}
      transform={`translate(${x} ${y})`}
    >
      <path class="mark" d={framePath(width, height, false, -4)} />
      <path class="frame" d={framePath(width, height, look.family === "failed" && !isOpen, 0)} />
      {look.family === "error" && !isOpen && <path class="frame inner" d={framePath(width, height, false, 3)} />}
      {withGlyph && <Glyph part={part} x={10} y={base - (isOpen ? 13 : 12) * scale} size={16 * scale} />}
      <text x={left} y={base} class="label" style={isFar ? { fontSize: `${letters}px` } : undefined}>
        {cutToWidth(part.label, room, letters)}
      </text>
      {part.members.length > 0 && <FoldButton width={width} isOpen={isOpen} partKey={part.key} />}
      {!isOpen && !isFar && (
        <text x={left} y={36} class="sub">
          {cutToWidth(tint?.text ?? secondLineOf(part, now), (width - left - 8) * 1.1)}
        </text>
      )}
      {!isOpen && part.members.length > 0 && part.declared === undefined && (
        <FamilyBar part={part} width={width} y={height - 12} />
      )}
      {withPips && <AttemptDots part={part} y={height - 13} />}
      {part.kind === "loop" && part.members.length === 0 && !isFar && (
        <text x={left} y={52} class="sub">{`×${part.items ?? "?"}`}</text>
      )}
    </g>
  );
}

/** The largest size of the name of an open box, in its header. */
const MAX_HEADER_NAME_SIZE = 26;
/** The largest size of a name that leaves space for attempts and the icon of the phase. */
const MAX_NAME_SIZE_WITH_DETAILS = 20;

/** A frame with rounded corners; one corner is cut for failed parts. */
function framePath(width: number, height: number, isCut: boolean, inset: number): string {
  const [l, t, r, b] = [inset, inset, width - inset, height - inset];
  const corner = isCut ? `H${r - 12}L${r} ${t + 12}` : `H${r - 6}Q${r} ${t} ${r} ${t + 6}`;
  return `M${l + 6} ${t}${corner}V${b - 6}Q${r} ${b} ${r - 6} ${b}H${l + 6}Q${l} ${b} ${l} ${b - 6}V${
    t + 6
  }Q${l} ${t} ${l + 6} ${t}Z`;
}

function Glyph({ part, x, y, size }: { part: Part; x: number; y: number; size: number }) {
  const { glyph } = lookOfPart(part);
  return (
    <svg x={x} y={y} width={size} height={size} viewBox="0 0 16 16" class={`glyph glyph-${glyph}`} aria-hidden="true">
      <path d={GLYPH_SHAPES[glyph]} />
    </svg>
  );
}

function FoldButton({ width, isOpen, partKey }: { width: number; isOpen: boolean; partKey: string }) {
  return (
    <g class="fold" data-fold={partKey} transform={`translate(${width - 28} 4)`}>
      <rect width={24} height={24} rx={4} />
      <path d={isOpen ? "M8 12h8" : "M8 12h8M12 8v8"} />
    </g>
  );
}

/** A bar with the items of each family, failed first. */
function FamilyBar({ part, width, y }: { part: Part; width: number; y: number }) {
  let x = 12;
  return (
    <g class="strip">
      {barSegmentsOf(part, width - 24).map(({ family, size }) => {
        const from = x;
        x += size;
        return <rect key={family} class={`phase-${family}`} x={from} y={y} width={size} height={4} />;
      })}
    </g>
  );
}

/** The maximum number of attempts that are drawn as dots; more are shown as a number. */
const MAX_PIPS = 10;

function AttemptDots({ part, y }: { part: Part; y: number }) {
  return (
    <g class="pips">
      {part.attempts.slice(-MAX_PIPS).map((attempt, i) => (
        <rect
          key={attempt.id}
          class={`phase-${lookOfNode(attempt).family}`}
          x={32 + i * 10}
          y={y}
          width={7}
          height={7}
          rx={1.5}
        />
      ))}
    </g>
  );
}

function secondLineOf(part: Part, now: number): string {
  const { node, attempts, template } = part;
  if (part.artifact) return part.artifact.file;
  if (part.members.length) return shortCountsText(part);
  if (part.declared !== undefined) return part.declared;
  if (part.isPlanned) return template || words.plannedPart;
  const took = node && elapsedMillis(node.startedAt, node.finishedAt, now);
  const time = took === undefined || node?.phase === "Pending" || part.family === "idle"
    ? lookOfPart(part).word
    : durationText(Math.floor(took / 1000) * 1000);
  return attempts.length > MAX_PIPS ? words.attemptsPart(time, attempts.length) : time;
}
