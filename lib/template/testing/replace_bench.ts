/** What substitution costs: `deno bench lib/template/testing`. */
import { replaceTags } from "../replace.ts";

const scope = new Map<string, string | null>([["workflow.name", "bench"]]);
for (let index = 0; index < 20; index++) scope.set(`inputs.parameters.p${index}`, `value ${index}`);

const simple = {
  name: "t",
  container: { image: "alpine", args: Array.from({ length: 20 }, (_, index) => `{{inputs.parameters.p${index}}}`) },
};
const expressions = {
  name: "t",
  container: {
    image: "alpine",
    args: Array.from({ length: 20 }, (_, i) => `{{=upper(inputs.parameters.p${i}) + '!'}}`),
  },
};
const plain = {
  name: "t",
  container: { image: "alpine", args: Array.from({ length: 20 }, (_, index) => `plain argument ${index}`) },
};

Deno.bench("replaceTags() fills in 20 simple tags", () => {
  replaceTags(simple, scope, { kind: "lenient" });
});

Deno.bench("replaceTags() fills in 20 expressions it has met before", () => {
  replaceTags(expressions, scope, { kind: "lenient" });
});

Deno.bench("replaceTags() returns a template without tags", () => {
  replaceTags(plain, scope, { kind: "lenient" });
});
