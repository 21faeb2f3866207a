/** Formats problems of manifests as a SARIF log, which GitHub and editors show at their positions. */
import { VERSION } from "@tiphys/base/version";
import type { Problem } from "@tiphys/language/validate";
import { problemText } from "@tiphys/language/validate/problem_text";

/** Returns the log as an object for JSON. */
export function sarifLog(problems: readonly Problem[]): object {
  const rule = { id: "manifest", shortDescription: { text: "A workflow manifest is valid" } };
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [{
      tool: { driver: { name: "tiphys", version: VERSION, rules: [rule] } },
      results: problems.map(({ file, line, column, severity, ...problem }) => ({
        ruleId: rule.id,
        level: severity === "warning" ? "warning" : "error",
        message: { text: problemText(problem) },
        locations: [{
          physicalLocation: {
            artifactLocation: { uri: encodeURI(file) },
            region: { startLine: Math.max(1, line), startColumn: Math.max(1, column) },
          },
        }],
      })),
    }],
  };
}
