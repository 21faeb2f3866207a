/** The event flow as a picture: nodes are links, and edges light up for a moment when an event passes. */
import { FLOW_NODE, type FlowNode, type LaidFlow } from "../model/event_flow.ts";
import { curveThrough } from "../model/graph/curve.ts";
import * as words from "../model/text/en/events.ts";
import { PhaseGlyph } from "./glyph.tsx";
import { LongName } from "./long_name.tsx";

interface Props {
  readonly flow: LaidFlow;
  /** The keys of current events. */
  readonly lit: ReadonlySet<string>;
  readonly selected: string | undefined;
  readonly hrefOf: (node: FlowNode) => string;
}

export function EventFlowView({ flow, lit, selected, hrefOf }: Props) {
  const { nodes, edges, corners, lines, width, height } = flow;
  return (
    <section class="event-flow" aria-label={words.flowLabel}>
      <div class="event-flow-room" style={{ inlineSize: `${width}px`, blockSize: `${height}px` }}>
        <svg width={width} height={height} aria-hidden="true">
          {edges.map(({ from, to, highlightKeys: lights }, index) => (
            <path
              key={`${nodes[from]!.key}>${nodes[to]!.key}`}
              class={lights.some((key) => lit.has(key)) ? "edge lit" : "edge"}
              d={curveThrough(lines[index]!)}
            />
          ))}
        </svg>
        <ul>
          {nodes.map((node, index) => {
            const { key, kind, label, secondLine: sub, look, object, place } = node;
            const { x, y } = corners[index]!;
            const isThere = object !== undefined || place !== undefined;
            const classes = ["flow-node", `flow-${kind}`, lit.has(key) && "lit", !isThere && "absent"];
            const inner = (
              <>
                <span class="flow-label">
                  {KINDS[kind] && <span class="hidden">{KINDS[kind]}&nbsp;</span>}
                  <span class="flow-text">
                    {kind === "run" ? <LongName text={label} /> : label}
                  </span>
                </span>
                {look && <PhaseGlyph look={look} withWord />}
                {sub && <span class="flow-sub muted">{sub}</span>}
              </>
            );
            const size = { inlineSize: `${FLOW_NODE.width}px`, blockSize: `${FLOW_NODE.height}px` };
            return (
              <li key={key} style={{ transform: `translate(${x}px, ${y}px)` }}>
                {isThere
                  ? (
                    <a
                      class={classes.filter(Boolean).join(" ")}
                      style={size}
                      href={hrefOf(node)}
                      title={[label, sub].join("\n")}
                      aria-current={key === selected ? "true" : undefined}
                    >
                      {inner}
                    </a>
                  )
                  : (
                    <span class={classes.filter(Boolean).join(" ")} style={size} title={[label, sub].join("\n")}>
                      {inner}
                    </span>
                  )}
              </li>
            );
          })}
        </ul>
      </div>
    </section>
  );
}

const KINDS: Readonly<Record<FlowNode["kind"], string>> = {
  event: words.eventKind,
  // These kinds are visible from their second line.
  sensor: "",
  condition: "",
  trigger: words.triggerKind,
  binding: words.bindingKind,
  run: words.runKind,
  more: "",
};
