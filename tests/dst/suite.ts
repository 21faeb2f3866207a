/**
 * Workflows of the conformance suite as cases, if the suite is next to the project. Their pods are not simulated
 * exactly: the node's name decides whether a pod succeeds, and its outputs have the declared form. So the expected
 * result is unknown; only that each workflow ends and leaves nothing over.
 */
import type { KubeObject } from "@tiphys/kube";
import { parseYaml } from "@tiphys/model/yaml";
import { type Case, caseOf } from "./case.ts";
import { Chance } from "./chance.ts";
import { CASE_KINDS } from "./create_objects.ts";

const SUITE = new URL("../../../shared/conformance/", import.meta.url);

interface SuiteEntry {
  readonly id: string;
  readonly manifest: string;
  readonly kind: string;
}

/**
 * All workflows of the suite that consist of a workflow and the kinds that a case may contain; empty without the suite.
 */
export function suiteCases(): Case[] {
  let list: SuiteEntry[];
  try {
    list = JSON.parse(Deno.readTextFileSync(new URL("cases.json", SUITE)));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
  return list.filter(({ kind }) => kind === "Workflow").flatMap(suiteCase);
}

function suiteCase({ id, manifest }: SuiteEntry): Case[] {
  const documents = parseYaml(Deno.readTextFileSync(new URL(`cases/${manifest}`, SUITE)));
  if (documents.some(({ errors }) => errors.length)) return [];
  const objects = documents.map(({ value }) => value as unknown as KubeObject).filter((object) => object?.kind);
  const workflows = objects.filter(({ kind }) => kind === "Workflow");
  const others = objects.filter((object) => !workflows.includes(object));
  if (workflows.length !== 1 || others.some(({ kind }) => !CASE_KINDS.has(kind!))) return [];
  const [workflow] = workflows as [KubeObject];
  const text = JSON.stringify(objects);
  const written = {
    about: `${id} of the conformance suite`,
    workflow: { ...workflow, metadata: { ...workflow.metadata, generateName: undefined, namespace: undefined } },
    objects: others,
    people: /"suspend"/.test(text) ? [60, 120, 180].map((after) => ({ do: "resume" as const, after })) : [],
  };
  const name = `suite-${id.replaceAll(/[^a-z0-9]+/g, "-")}`.replace(/-+$/, "");
  const result = /withParam|fromJson|jsonpath/.test(text) ? '["one","two"]' : undefined;
  return [{ ...caseOf(name, written), isOfSuite: true, play: (node) => playOf(node.slice(name.length), result) }];
}

/** One pod of six fails; the seed decides how long pods take. */
function playOf(node: string, result: string | undefined) {
  return { exitCode: new Chance("suite").numberFor(node) < 1 / 6 ? 1 : 0, result };
}
