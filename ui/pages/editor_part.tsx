/** The editor of manifests as pages show it: loaded when it is first shown. */
import { lazy } from "./lazy.tsx";

/** The editor with its button. */
export const ManifestEditor = lazy(async () => (await import("./manifest_editor.tsx")).ManifestEditor);
