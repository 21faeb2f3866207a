/** References of a step or task to others that have not ended when it begins: lint reports them in every field. */
import type { PathSegments } from "@tiphys/model/api";
import { ExpressionError } from "../template/expr/mod.ts";
import { MeterError } from "../template/expr/meter.ts";
import { references } from "../template/references.ts";
import type { Place, Report } from "./report.ts";
import { visitTexts } from "./texts.ts";

/** Why a step or task cannot refer to another one, or to itself; undefined where it can. */
export type Obstacle = (member: string) => string | undefined;

/**
 * Reports the references in the texts of a step or task that can never be resolved. Names that an expression handles the
 * absence of are left out, and so are inline templates of steps or tasks, which have names of their own.
 */
export function checkProducers(
  report: Report,
  root: "steps" | "tasks",
  fields: object,
  place: Place,
  obstacle: Obstacle,
): void {
  if (!report.judgesExpressions || !place.isHere) return;
  visitTexts(fields, [], (text, at) => {
    if (!text.includes(root)) return;
    // The condition of a hook is an expression without braces.
    const isBare = at.at(-1) === "expression" && !text.includes("{{");
    for (const { name, position } of referencesOf(report, isBare ? `{{=${text}}}` : text, place.at(...at))) {
      const [first, member] = name.split(".");
      const problem = first === root && member !== undefined ? obstacle(member) : undefined;
      if (problem === undefined) continue;
      const message = `${place.name} ${pathText(at)} can never resolve {{${name}}}: ${problem}`;
      const offset = position.offset - (isBare ? "{{=".length : 0);
      report.find(place.at(...at), { offset, severity: "error", message });
    }
  });
}

/** Returns the references of a text that need a value. Reports an error if the time for expressions is up. */
function referencesOf(report: Report, text: string, path: PathSegments) {
  try {
    return references(text).filter(({ optional }) => !optional);
  } catch (error) {
    if (error instanceof MeterError) {
      if (report.tellsOf(error)) report.find(path, { offset: 0, severity: "error", message: error.reason });
    } else if (!(error instanceof ExpressionError)) throw error; // reported where expressions are judged
    return [];
  }
}

function pathText(path: PathSegments): string {
  return path.map((part, at) => typeof part === "number" ? `[${part}]` : at > 0 ? `.${part}` : part).join("");
}
