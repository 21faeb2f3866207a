/**
 * A workflow over its template over the controller's defaults: each case of `testdata/` is merged as Argo merges it.
 */
import { assert, assertEquals } from "@std/assert";
import { readConfigMap } from "../../../controller/config/read_config_map.ts";
import { parseWith, parseWorkflow, WorkflowSpec } from "@tiphys/model/api";
import { parseYaml } from "@tiphys/model/yaml";
import { mergeSpecs, metadataFromDefaults } from "./effective_spec.ts";

/** A case of the file: the layers, Argo's result in `spec` and, if ours differs, ours with the reason in `because`. */
interface Case {
  readonly name: string;
  readonly defaults: object;
  readonly template?: object;
  readonly workflow: object;
  readonly spec: object;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ours?: object;
  readonly because?: string;
}

const FILE = new URL("testdata/workflow_defaults.yaml", import.meta.url);
// The file belongs to this test, so its type is not checked.
const CASES = parseYaml(Deno.readTextFileSync(FILE))[0]?.value as unknown as readonly Case[];

for (const { name, defaults, template, workflow, spec, labels, annotations, ours, because } of CASES) {
  Deno.test(`workflowDefaults: ${name}`, () => {
    const data = { workflowDefaults: JSON.stringify(defaults) };
    const { settings: { workflowDefaults }, problems } = readConfigMap({ metadata: {}, data });
    assertEquals(problems, []);
    const read = parseWorkflow({ apiVersion: "argoproj.io/v1alpha1", kind: "Workflow", ...workflow }, "lenient");
    assert(read.ok, JSON.stringify(read));
    const { metadata } = read.value;
    const joined = mergeSpecs(read.value.spec, template && specOf(template), workflowDefaults?.spec);
    assertEquals(removeEmpty(specOf(joined)), removeEmpty(specOf(ours ?? spec)));
    if (ours) {
      assert(because && JSON.stringify(removeEmpty(specOf(ours))) !== JSON.stringify(removeEmpty(specOf(spec))));
    }
    const added = metadataFromDefaults(read.value, workflowDefaults);
    assertEquals({ ...metadata.labels, ...added.labels }, labels ?? {});
    assertEquals({ ...metadata.annotations, ...added.annotations }, annotations ?? {});
  });
}

function specOf(spec: object): WorkflowSpec {
  const read = parseWith(WorkflowSpec, spec, "lenient");
  assert(read.ok);
  return read.value;
}

/** Removes empty objects, empty lists and undefined fields, which have no meaning. */
function removeEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(removeEmpty);
  if (typeof value !== "object" || value === null) return value;
  const fields = Object.entries(value).map(([key, inside]) => [key, removeEmpty(inside)] as const);
  return Object.fromEntries(fields.filter(([, inside]) => !isNothing(inside)));
}

function isNothing(value: unknown): boolean {
  return value === undefined || (typeof value === "object" && value !== null && Object.keys(value).length === 0);
}
