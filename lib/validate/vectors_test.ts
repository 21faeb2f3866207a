/** The golden vectors of what the peer accepts and refuses; skipped where they are not at hand. */
import { assert, assertEquals } from "@std/assert";
import { readGoldenVectors } from "../testing/golden_vectors.ts";
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

const all = readGoldenVectors<Vector>();

const CHECKERS: Record<string, (vector: Vector) => boolean> = {
  validate: acceptsWorkflow,
  validatetags: acceptsTags,
};

for (const [kind, accepts] of Object.entries(CHECKERS)) {
  const vectors = all?.filter((vector) => vector.kind === kind);
  Deno.test({
    name: `Every vector of kind ${kind} is accepted or refused as by the peer`,
    ignore: vectors === undefined,
    fn: () => {
      const differing = vectors!.filter((vector) => accepts(vector) !== (vector.ok === true));
      assertEquals(differing.map(({ id }) => id), []);
      assert(vectors!.length > 0, `Found no vectors of kind ${kind}`);
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
