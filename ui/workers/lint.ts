/** The thread that checks manifests: the same function as `tiphys lint`, away from the thread that draws. */
import { lintFile } from "../../lib/validate/mod.ts";
import { parseYaml } from "../../lib/yaml/mod.ts";

interface Question {
  readonly id: number;
  readonly text: string;
}

addEventListener("message", ({ data: { id, text } }: MessageEvent<Question>) => {
  // References may lead to templates of the cluster, which this thread does not know.
  const problems = lintFile(text, "manifest", { allowMissingReferences: true });
  postMessage({ id, problems, object: objectOf(text) });
});

/** The one object of a text, without errors. */
function objectOf(text: string): unknown {
  const [document, ...more] = parseYaml(text);
  return document && more.length === 0 && document.errors.length === 0 ? document.value : undefined;
}
