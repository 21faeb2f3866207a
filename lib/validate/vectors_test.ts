/** The golden vectors of what the peer accepts and refuses; skipped where they are not at hand. */
import { assertEquals } from "@std/assert";
import { parseWorkflow } from "../api/mod.ts";
import { isClosed } from "../template/tags.ts";
import { Scope } from "./scope.ts";
import { unresolvedTags } from "./tags.ts";
import { validateWorkflow } from "./workflow.ts";

interface Vector {
  id: string;
  kind: string;
  ok?: boolean;
  error?: string;
  workflow?: unknown;
  template?: string;
  scope?: string[];
  magic?: string[];
  workflowTemplate?: boolean;
}

const FOLDER = Deno.env.get("VECTORS") ?? new URL("../../../shared/conformance/expr", import.meta.url).pathname;

const CHECKERS: Record<string, (vector: Vector) => boolean> = {
  validate: acceptsWorkflow,
  validatetags: acceptsTags,
};

for (const [kind, file] of [["validate", "validate-workflow.json"], ["validatetags", "validate-tags.json"]]) {
  const vectors = readVectors(`${FOLDER}/${file}`);
  Deno.test({
    name: `Every vector of kind ${kind} is accepted or refused as by the peer`,
    ignore: vectors === undefined,
    fn: () => {
      const differing = vectors!.filter((vector) => CHECKERS[kind](vector) !== (vector.ok === true));
      assertEquals(differing.map(({ id }) => id), []);
      console.log(`${kind}: ${vectors!.length} vectors`);
    },
  });
}

function acceptsWorkflow({ workflow }: Vector): boolean {
  const parsed = parseWorkflow(workflow, "lenient");
  const nowhere = { workflowTemplate: () => undefined, clusterWorkflowTemplate: () => undefined };
  return parsed.ok && validateWorkflow(parsed.value, nowhere).length === 0;
}

function acceptsTags({ template = "", scope: names = [], magic = [], workflowTemplate }: Vector): boolean {
  const scope = new Scope();
  scope.add(...names);
  for (const name of magic) scope.allow(name.replace(/\*$/, ""));
  if (workflowTemplate) scope.allow("workflow.parameters");
  return isClosed(template) && unresolvedTags(template, scope).length === 0;
}

function readVectors(path: string): Vector[] | undefined {
  try {
    return JSON.parse(Deno.readTextFileSync(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}
