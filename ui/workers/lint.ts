/** The thread that checks manifests: the same function as `tiphys lint`, away from the thread that draws. */
import { lintManifest } from "@tiphys/language/validate";

interface Question {
  readonly id: number;
  readonly text: string;
}

addEventListener("message", ({ data: { id, text } }: MessageEvent<Question>) => {
  // References may lead to templates of the cluster, which this thread does not know.
  postMessage({ id, ...lintManifest(text, "manifest", { allowMissingReferences: true }) });
});
