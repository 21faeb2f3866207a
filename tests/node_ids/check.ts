/** Node IDs of large random workflows: every name has a unique ID, before and after a restart of the controller. */
import type { NodeStatus } from "@tiphys/model/api";
import { nodeID, nodeIDs } from "@tiphys/model/status";
import { NodeTable } from "../../lib/engine/nodes/node_table.ts";
import { type Chance, chanceOf } from "../random_workflows/workflow_of.ts";

/** The number of nodes of each workflow. */
export const NODES = 100_000;

/** The result for one workflow. */
export interface IdReport {
  /** The number of nodes whose usual ID belongs to another node. */
  readonly wider: number;
  readonly problems: readonly string[];
}

/** Assigns IDs to the nodes of a seed's random workflow, and looks up each node that shares a hash. */
export function checkIds(seed: number, nodes = NODES): IdReport {
  const chance = chanceOf(seed);
  const workflow = `${text(chance, 3 + chance(12))}-${text(chance, 5)}`;
  const names = nodeNames(workflow, chance, nodes);
  const ids = nodeIDs(workflow, names);
  const problems: string[] = [];
  const owners = new Map<string, string>();
  const wider: string[] = [];
  for (const [name, id] of ids) {
    const owner = owners.get(id);
    if (owner !== undefined) problems.push(`${owner} and ${name} share the ID ${id}`);
    owners.set(id, name);
    if (id !== nodeID(workflow, name)) wider.push(name);
  }
  if (ids.size !== names.size) problems.push(`${names.size} names have ${ids.size} IDs`);

  const table = new NodeTable(workflow, undefined);
  for (const name of wider) {
    for (const owner of [owners.get(nodeID(workflow, name))!, name]) {
      if (!table.byName(owner)) table.set(nodeOf(table.idOf(owner), owner));
    }
  }
  for (const read of [table, new NodeTable(workflow, table.snapshot().record())]) {
    for (const { id, name } of read.all()) {
      if (read.byName(name)?.id !== id || ids.get(name) !== id) {
        problems.push(`${name} is ${ids.get(name)}, and is found as ${read.byName(name)?.id}`);
      }
    }
  }
  return { wider: wider.length, problems };
}

function nodeOf(id: string, name: string): NodeStatus {
  return { id, name, type: "Pod", phase: "Running" };
}

/** Names of nodes of steps, DAGs, loops, attempts and handlers. */
function nodeNames(workflow: string, chance: Chance, count: number): ReadonlySet<string> {
  const names = new Set<string>([workflow]);
  while (names.size < count) {
    let name = workflow;
    for (let depth = chance(3); depth >= 0; depth--) name += part(chance);
    const items = 1 + chance(2000);
    for (let item = 0; item < items && names.size < count; item++) {
      const call = `${name}(${item}:${chance(2) ? item : text(chance, 6)})`;
      names.add(call);
      if (chance(10) === 0) names.add(`${call}(0)`);
      if (chance(20) === 0) names.add(`${call}.onExit`);
    }
  }
  return names;
}

function part(chance: Chance): string {
  return chance(2) ? `[${chance(20)}].${text(chance, 4)}` : `.${text(chance, 4)}`;
}

function text(chance: Chance, length: number): string {
  return Array.from({ length }, () => "abcdefghijklmnopqrstuvwxyz0123456789".charAt(chance(36))).join("");
}
