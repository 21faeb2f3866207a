/** The cost of parsing and evaluating: `deno bench lib/language/template/expr`. */
import { compileExpression, compileFor, environment, evaluate, findReferences } from "./mod.ts";
import { parse } from "./parser.ts";

const SMALL = "inputs.parameters.n == '42'";
const MEDIUM =
  "lastRetry.status == 'Failed' && asInt(lastRetry.exitCode) in [137, 143] ? upper(workflow.name) : 'none'";
const LIST = "filter(fromJSON(inputs.parameters.list), # > 10) | map(# * 2) | sum()";

const flat = new Map<string, string>([
  ["inputs.parameters.n", "42"],
  ["inputs.parameters.list", JSON.stringify(Array.from({ length: 100 }, (_, i) => i))],
  ["lastRetry.status", "Failed"],
  ["lastRetry.exitCode", "137"],
  ["workflow.name", "my-workflow"],
  ...Array.from({ length: 20 }, (_, i): [string, string] => [`inputs.parameters.p${i}`, `value ${i}`]),
]);
const env = environment(flat);
const [small, medium, list] = [compileFor(SMALL, env), compileFor(MEDIUM, env), compileFor(LIST, env)];

Deno.bench("parse: a comparison", { group: "parse", baseline: true }, () => void parse(SMALL));
Deno.bench("parse: a condition of 100 characters", { group: "parse" }, () => void parse(MEDIUM));
Deno.bench("compile: a condition of 100 characters", { group: "parse" }, () => void compileExpression(MEDIUM));
Deno.bench("find the names of a condition", { group: "parse" }, () => void findReferences(MEDIUM));

Deno.bench("run: a comparison", { group: "run", baseline: true }, () => void small.run(env));
Deno.bench("run: a condition of 100 characters", { group: "run" }, () => void medium.run(env));
Deno.bench("run: filter and sum a list of 100 in JSON", { group: "run" }, () => void list.run(env));
Deno.bench("evaluate by source, compiled before", { group: "run" }, () => void evaluate(MEDIUM, env));

Deno.bench("environment of 25 names", () => void environment(flat));
