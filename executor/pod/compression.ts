/** The compression of archives: gzip, or zstd on request of the template. */
import { isObject } from "@tiphys/base/fields_of";
import type { PodTemplate } from "./template_shape.ts";

/** The annotation of a template that selects the compression: `zstd` or `gzip` (default). */
export const COMPRESSION = "workflows.argoproj.io/artifact-compression";

/** Whether the archives of a template's outputs are compressed with zstd. */
export function usesZstd({ metadata }: PodTemplate): boolean {
  return metadata?.annotations?.[COMPRESSION] === "zstd";
}

/** The annotation's value if it is unknown. gzip is used then. */
export function findUnknownCompression({ metadata }: PodTemplate): string | undefined {
  const named = metadata?.annotations?.[COMPRESSION];
  return named === "zstd" || named === "gzip" ? undefined : named;
}

/**
 * Returns the template for main's emissary. With zstd, the emissary must not compress the archives that it copies out
 * of main's image, because the supervisor compresses them.
 */
export function templateForMain(text: string, template: PodTemplate): string {
  if (!usesZstd(template) || !template.outputs?.artifacts) return text;
  const whole: unknown = JSON.parse(text);
  if (!isObject(whole) || !isObject(whole.outputs) || !Array.isArray(whole.outputs.artifacts)) return text;
  const artifacts = whole.outputs.artifacts.map((artifact: unknown) => {
    if (!isObject(artifact)) return artifact;
    const { archive } = artifact;
    if (isObject(archive) && (archive.none || archive.zip)) return artifact;
    const tar = isObject(archive) && isObject(archive.tar) ? archive.tar : {};
    return { ...artifact, archive: { tar: { ...tar, compressionLevel: 0 } } };
  });
  return JSON.stringify({ ...whole, outputs: { ...whole.outputs, artifacts } });
}
