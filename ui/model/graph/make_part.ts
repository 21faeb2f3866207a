/** Constructs parts. Totals over members are computed here, once. */
import type { NodeStatus } from "@tiphys/model/api";
import { FAMILIES, type PhaseFamily } from "../phase.ts";
import type { FamilyCounts, Part, PartArtifact, PartEdge, PartKind } from "./part.ts";

/** The properties of a new part. */
export interface PartFacts {
  readonly key: string;
  readonly label: string;
  readonly kind: PartKind;
  readonly node?: NodeStatus | undefined;
  readonly template?: string | undefined;
  /** The family of the node; by default that of the most urgent member. */
  readonly family?: PhaseFamily | undefined;
  readonly isPlanned?: boolean;
  readonly members?: readonly Part[];
  readonly edges?: readonly PartEdge[];
  readonly attempts?: readonly NodeStatus[];
  readonly items?: number | undefined;
  readonly artifact?: PartArtifact | undefined;
  readonly declared?: string | undefined;
}

const NONE: FamilyCounts = { failed: 0, error: 0, waits: 0, works: 0, done: 0, idle: 0 };
const ONE = Object.fromEntries(FAMILIES.map((family) => [family, { ...NONE, [family]: 1 }])) as Record<
  PhaseFamily,
  FamilyCounts
>;
const NOTHING: readonly never[] = [];

/** Constructs a part. */
export function makePart(facts: PartFacts): Part {
  const members = facts.members ?? NOTHING;
  const family = facts.family ?? mostUrgent(members);
  return {
    key: facts.key,
    label: facts.label,
    kind: facts.kind,
    ...(facts.node ? { node: facts.node } : {}),
    template: facts.template ?? "",
    family,
    isPlanned: facts.isPlanned ?? false,
    members,
    edges: facts.edges ?? NOTHING,
    attempts: facts.attempts ?? NOTHING,
    counts: members.length > 0 ? sumOf(members) : facts.kind === "artifact" ? NONE : ONE[family],
    size: members.reduce((sum, { size }) => sum + size, 1),
    ...(facts.items === undefined ? {} : { items: facts.items }),
    ...(facts.artifact ? { artifact: facts.artifact } : {}),
    ...(facts.declared === undefined ? {} : { declared: facts.declared }),
  };
}

function mostUrgent(members: readonly Part[]): PhaseFamily {
  return FAMILIES.find((family) => members.some((member) => member.family === family)) ?? "idle";
}

function sumOf(members: readonly Part[]): FamilyCounts {
  const sum: Record<PhaseFamily, number> = { ...NONE };
  for (const { counts } of members) for (const family of FAMILIES) sum[family] += counts[family];
  return sum;
}
