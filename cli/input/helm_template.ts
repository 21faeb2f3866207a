/** Recognizes files of Helm charts, which are not manifests until Helm renders them. */
import type { Position } from "@tiphys/model/yaml";

/** Objects and functions that only Helm defines. Workflows do not use them as tags. */
const NAME = /\{\{-?[ \t]*(?:\$?\.(?:Values|Release|Chart|Files|Capabilities)\b|(?:include|tpl|toYaml)[ \t])/;

/** Control structures on separate lines: within a line, they may be for another tool. */
const CONTROL_LINE = /^[ \t]*\{\{-?[ \t]*(?:if|else|end|range|with|define|template)\b/m;

/** The advice for such a file. */
export const RENDER_HELM = "this is a Helm template: render it first, with  helm template CHART | tiphys lint -";

/** Returns the position of the first tag of Helm; undefined for other texts. */
export function helmTag(text: string): Position | undefined {
  const found = [NAME, CONTROL_LINE].map((pattern) => pattern.exec(text)?.index).filter((offset) =>
    offset !== undefined
  );
  if (found.length === 0) return undefined;
  const index = Math.min(...found);
  const before = text.slice(0, index).split("\n");
  return { line: before.length, column: before.at(-1)!.length + 1 };
}
