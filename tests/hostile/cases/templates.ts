/** Malformed templates of the namespace and of the cluster, and templates that call each other. */
import { structureOf, Template, WorkflowSpec } from "@tiphys/model/api";
import {
  clusterTemplate,
  failsWith,
  type Fields,
  type HostileCase,
  type HostileObject,
  nestedArrays,
  type Outcome,
  SUCCEEDS,
  template,
  workflow,
} from "../case.ts";

/** A workflow that calls a template of another object. */
function caller(...objects: HostileObject[]): HostileObject[] {
  const call = { name: "a", templateRef: { name: "template", template: "main" } };
  return [...objects, workflow({ spec: { entrypoint: "main", templates: [{ name: "main", steps: [[call]] }] } })];
}

function callerOfCluster(...objects: HostileObject[]): HostileObject[] {
  const call = { name: "a", templateRef: { name: "template", template: "main", clusterScope: true } };
  return [...objects, workflow({ spec: { entrypoint: "main", templates: [{ name: "main", steps: [[call]] }] } })];
}

const GOOD = { templates: [{ name: "main", ...{ suspend: { duration: "0s" } } }] };

/** A workflow with a workflowTemplateRef. */
function referrer(...objects: HostileObject[]): HostileObject[] {
  return [...objects, workflow({ spec: { entrypoint: "main", workflowTemplateRef: { name: "template" } } })];
}

/** A template with these fields for the controller, called from a step. */
function templateVariant(name: string, fields: Fields, outcome: Outcome): HostileCase {
  const asIs = { spec: { templates: [{ name: "main", suspend: { duration: "0s" }, ...fields }] } };
  return { name: `a template with ${name}`, outcome, make: () => caller(template(GOOD, asIs)) };
}

/** Each field of a template with this value, except its name. */
function everyField(value: (kind: string) => unknown): Fields {
  const structure = structureOf(Template);
  if (structure.kind !== "object") throw new TypeError("Expected a template to be an object");
  const fields = Object.entries(structure.shape).filter(([name]) => name !== "name" && name !== "suspend");
  return Object.fromEntries(fields.map(([name, schema]) => [name, value(structureOf(schema).kind)]));
}

const MALFORMED = /^(invalid spec: )?malformed workflow template "default\/template": spec\.templates\[0\]\./;
const IMAGE = { image: "busybox", command: ["x"] };

const TEMPLATE_VARIANTS: readonly HostileCase[] = [
  templateVariant("null in every place", everyField(() => null), SUCCEEDS),
  templateVariant("a list in every place", everyField((kind) => kind === "list" ? "x" : ["x"]), failsWith(MALFORMED)),
  templateVariant("a number in every place", everyField(() => 7.5), failsWith(MALFORMED)),
  templateVariant(
    "numbers in place of strings",
    { inputs: { parameters: [{ name: "p", value: 7, default: 1.5, enum: [7, 8] }] }, outputs: null },
    SUCCEEDS,
  ),
  templateVariant(
    "nested null values",
    {
      suspend: null,
      container: { ...IMAGE, args: null, env: null, resources: null, ports: null, securityContext: null },
      inputs: { parameters: null, artifacts: null },
      outputs: { parameters: null, result: null },
      metadata: { labels: null, annotations: { a: null } },
      retryStrategy: { limit: null, backoff: null, affinity: null },
      volumes: null,
    },
    SUCCEEDS,
  ),
  templateVariant("null for one of its steps", { suspend: null, steps: [[null]] }, failsWith(MALFORMED)),
  templateVariant("an input that is a list", { inputs: [{ name: "p" }] }, failsWith(MALFORMED)),
  templateVariant("parameters that are an object", { inputs: { parameters: { p: 7 } } }, failsWith(MALFORMED)),
  templateVariant("a value that is an object", {
    inputs: { parameters: [{ name: "p", value: { a: 1 } }] },
  }, failsWith(MALFORMED)),
  templateVariant("an image that is a number", { suspend: null, container: { image: 7 } }, failsWith(MALFORMED)),
  templateVariant(
    "a command that is a string",
    { suspend: null, container: { image: "a", command: "x" } },
    failsWith(MALFORMED),
  ),
  templateVariant("a pod patch that is an object", { podSpecPatch: { a: 1 } }, failsWith(MALFORMED)),
  {
    name: "a template with malformed steps in the same object as the called one",
    outcome: failsWith(
      /^(invalid spec: )?malformed workflow template "default\/template": spec\.templates\[1\]\.steps/,
    ),
    make: () =>
      caller(template(GOOD, {
        spec: { templates: [{ name: "main", suspend: { duration: "0s" } }, { name: "other", steps: "x" }] },
      })),
  },
  {
    name: "a cluster template with a name that is a number",
    outcome: failsWith(/^(invalid spec: )?malformed cluster workflow template "template": spec\.templates\[0\]\.name/),
    make: () => callerOfCluster(clusterTemplate(GOOD, { spec: { templates: [{ name: 7, suspend: {} }] } })),
  },
  {
    name: "a workflow of a template whose entrypoint is a list",
    outcome: failsWith(/^(invalid spec: )?malformed workflow template "default\/template": spec\.entrypoint/),
    make: () => referrer(template(GOOD, { spec: { ...GOOD, entrypoint: ["main"] } })),
  },
  {
    name: "a workflow of a template with null in every place of its spec",
    outcome: SUCCEEDS,
    make: () => {
      const structure = structureOf(WorkflowSpec);
      const names = structure.kind === "object" ? Object.keys(structure.shape) : [];
      const nothing = Object.fromEntries(names.map((name) => [name, null]));
      return referrer(template(GOOD, { spec: { ...nothing, ...GOOD } }));
    },
  },
];

/** The cases of malformed templates. */
export const TEMPLATES: readonly HostileCase[] = [
  {
    name: "a template whose input is a number",
    outcome: SUCCEEDS,
    make: () =>
      caller(
        template(GOOD, {
          spec: {
            templates: [{
              name: "main",
              inputs: { parameters: [{ name: "p", value: 7 }] },
              suspend: { duration: "0s" },
            }],
          },
        }),
      ),
  },
  {
    name: "a template whose node selector is null",
    outcome: SUCCEEDS,
    make: () =>
      caller(
        template(GOOD, {
          spec: { templates: [{ name: "main", nodeSelector: null, container: { image: "busybox", command: ["x"] } }] },
        }),
      ),
  },
  {
    name: "a template whose spec is a string",
    outcome: failsWith(/./),
    make: () => caller(template(GOOD, { spec: "x" })),
  },
  { name: "a template without a spec", outcome: failsWith(/./), make: () => caller(template(GOOD, { spec: null })) },
  {
    name: "a template whose templates are an object",
    outcome: failsWith(/./),
    make: () => caller(template(GOOD, { spec: { templates: { main: 1 } } })),
  },
  {
    name: "a template of steps that are numbers",
    outcome: failsWith(/./),
    make: () => caller(template(GOOD, { spec: { templates: [{ name: "main", steps: [[1]] }] } })),
  },
  {
    name: "a template nested thousands deep",
    outcome: failsWith(/./),
    make: () => caller(template(GOOD, { spec: { templates: [{ name: "main", suspend: {}, x: nestedArrays(5000) }] } })),
  },
  {
    name: "a cluster template whose spec is a list",
    outcome: failsWith(/./),
    make: () => callerOfCluster(clusterTemplate(GOOD, { spec: [] })),
  },
  {
    name: "a cluster template of numbers",
    outcome: failsWith(/./),
    make: () => callerOfCluster(clusterTemplate(GOOD, { spec: { templates: [1, 2] } })),
  },
  {
    name: "a workflow of a template whose spec is a number",
    outcome: failsWith(/./),
    make: () => referrer(template(GOOD, { spec: 1 })),
  },
  {
    name: "a workflow of a template whose arguments are a string",
    outcome: failsWith(/./),
    make: () => referrer(template(GOOD, { spec: { ...GOOD, arguments: "x" } })),
  },
  ...TEMPLATE_VARIANTS,
  {
    name: "templates of several objects that call each other",
    outcome: failsWith(/Maximum recursion|would exceed the maximum/),
    make: () =>
      caller(
        template({
          templates: [{
            name: "main",
            steps: [[{ name: "a", templateRef: { name: "template", template: "main" } }, {
              name: "b",
              templateRef: { name: "template", template: "main" },
            }]],
          }],
        }),
      ),
  },
  { name: "a missing template", outcome: failsWith(/not found/), make: () => caller() },
];
