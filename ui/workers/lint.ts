/** The worker that checks manifests with the function of `tiphys lint`. */
import { lintManifest } from "@tiphys/language/validate";

interface Question {
  readonly id: number;
  readonly text: string;
}

addEventListener("message", ({ data: { id, text } }: MessageEvent<Question>) => {
  // References may lead to cluster templates, which are unknown here.
  postMessage({ id, ...lintManifest(text, "manifest", { allowMissingReferences: true }) });
});
