/**
 * Manifests and Helm chart of a release: those of `manifests/`, with images pinned by the digests that the build knows.
 */
import { filePath } from "@tiphys/base/file_path";
import { VERSION } from "@tiphys/base/version";
import { filesBelow, writeTarball } from "./tarball.ts";

const MANIFESTS = filePath(import.meta.resolve("../manifests"));
const CHART = "helm/tiphys";

/** An image by name and tag, and the digest of its manifest. */
export interface PinnedImage {
  /** `REGISTRY/REPOSITORY:TAG` */
  readonly reference: string;
  /** `sha256:…` */
  readonly digest: string;
}

/** Writes the manifests into `manifests/` of a folder, and the chart into `chart/`. Returns the path of the chart. */
export async function buildManifests(folder: string, images: readonly PinnedImage[]): Promise<string> {
  await Deno.mkdir(`${folder}/manifests`, { recursive: true });
  for await (const { name } of Deno.readDir(MANIFESTS)) {
    if (!name.endsWith(".yaml")) continue;
    const text = await Deno.readTextFile(`${MANIFESTS}/${name}`);
    await Deno.writeTextFile(`${folder}/manifests/${name}`, withDigests(text, images));
  }
  const files = await filesBelow(`${MANIFESTS}/${CHART}`);
  files.set("templates/_pinned.tpl", new TextEncoder().encode(pinnedTemplate(images)));
  await Deno.mkdir(`${folder}/chart`, { recursive: true });
  const chart = `${folder}/chart/tiphys-${VERSION}.tgz`;
  await writeTarball(chart, files, { prefix: "tiphys" });
  return chart;
}

/** A manifest in which each image has its digest behind the tag. */
export function withDigests(text: string, images: readonly PinnedImage[]): string {
  return images.reduce((pinned, { reference, digest }) => pinned.replaceAll(reference, `${reference}@${digest}`), text);
}

/** The template of the chart that holds the tag and digest of each image. */
function pinnedTemplate(images: readonly PinnedImage[]): string {
  const tags = images.map(({ reference, digest }) => {
    const [, name = "", tag = ""] = /([^/]+):([^:]+)$/.exec(reference) ?? [];
    return [name, `${tag}@${digest}`];
  });
  return `{{- define "tiphys.pinned" -}}${JSON.stringify(Object.fromEntries(tags))}{{- end -}}\n`;
}
