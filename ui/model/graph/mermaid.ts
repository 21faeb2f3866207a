/** The graph as Mermaid source, for documents. */
import type { Part } from "./part.ts";

/** Returns a flowchart of a part and the content of open parts. */
export function toMermaid(whole: Part, open: ReadonlySet<string>): string {
  const lines = ["flowchart LR"];
  const ids = new Map<Part, string>();
  const walk = (part: Part, indent: string) => {
    for (const member of part.members) {
      const id = `n${ids.size}`;
      ids.set(member, id);
      const label = quoteLabel(member.label);
      if (member.members.length && open.has(member.key)) {
        lines.push(`${indent}subgraph ${id}[${label}]`);
        walk(member, `${indent}  `);
        lines.push(`${indent}end`);
      } else lines.push(`${indent}${id}[${label}]:::${member.isPlanned ? "planned" : member.family}`);
    }
    for (const { from, to, kind } of part.edges) {
      const arrow = kind === "hook" ? "-.->" : "-->";
      lines.push(`${indent}${ids.get(part.members[from]!)} ${arrow} ${ids.get(part.members[to]!)}`);
    }
  };
  walk(whole, "  ");
  return [...lines, ...CLASSES].join("\n") + "\n";
}

const CLASSES = [
  "  classDef failed stroke:#87261e,stroke-width:3px",
  "  classDef error stroke:#9e1ea9,stroke-width:3px",
  "  classDef waits stroke:#946617,stroke-dasharray:2 2",
  "  classDef works stroke:#294779",
  "  classDef done stroke:#227e5d",
  "  classDef idle stroke:#525960",
  "  classDef planned stroke:#525960,stroke-dasharray:6 4",
];

function quoteLabel(label: string): string {
  return `"${label.replaceAll(/["<>&#]/g, (sign) => `#${sign.codePointAt(0)};`).replaceAll(/\s+/g, " ")}"`;
}
