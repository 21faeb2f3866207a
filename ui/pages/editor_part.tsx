/** The manifest editor, loaded on demand. */
import { lazy } from "./lazy.tsx";

/** The editor with its button. */
export const ManifestEditor = lazy(async () => (await import("./manifest_editor.tsx")).ManifestEditor);
