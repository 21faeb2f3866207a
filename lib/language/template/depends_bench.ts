/** The cost of a `depends`: `deno task bench micro lib/language/template/depends_bench.ts`. */
import { dependsLogic } from "./depends.ts";
import { evaluateDepends } from "./evaluate_depends.ts";

const DEPENDS = "build && (test.Succeeded || test.Skipped) && !lint.Failed";
const tasks = [{ name: "build" }, { name: "test" }, { name: "lint" }, { name: "deploy", depends: DEPENDS }];
const nodes = new Map(["build", "test", "lint"].map((name) => [name, { phase: "Succeeded" }]));
const { logic } = dependsLogic(tasks, "deploy");

Deno.bench("depends: written out, first time", () => void dependsLogic([...tasks], "deploy"));
Deno.bench("depends: written out, again", () => void dependsLogic(tasks, "deploy"));
Deno.bench("depends: evaluated over three tasks", () => void evaluateDepends(logic, nodes, () => []));
