/** The images that the suite's workflows name, all of which are replaced by Debian or BusyBox. */
import { copyShims, testImage } from "../images/mod.ts";
import type { ClusterUnderTest } from "../install/mod.ts";

const DEBIAN_NAMES = [
  "alpine",
  "alpine:3.23",
  "alpine:3.6",
  "argoproj/argosay:v1",
  "argoproj/argosay:v2",
  "curlimages/curl:latest",
  "debian:8.9",
  "debian:9.1",
  "debian:9.4",
  "docker/whalesay",
  "golang:1.10",
  "golang:1.8",
  "influxdb:1.2",
  "nginx:1.13",
  "node:9.1-alpine",
  "python:alpine",
  "python:alpine3.23",
  "quay.io/argoproj/argoexec:latest",
  "stedolan/jq:latest",
  "ubuntu:17.10",
] as const;

/**
 * Most of these images are Alpine in reality: its `sh` accepts syntax that Debian's refuses (`>& FILE`, `[[`), as bash
 * does.
 */
const SHELL = '#!/bin/sh\nexec bash "$@"\n';

/** An image as a layout folder, and its name in the suite's workflows. */
export interface SuiteImage {
  readonly folder: string;
  readonly names: readonly string[];
}

/** Creates the images, with the suite's own small programs in them. */
export async function suiteImages({ suite, cache }: { suite: string; cache: string }): Promise<SuiteImage[]> {
  const shims = await Deno.makeTempDir({ prefix: "shims-" });
  try {
    await copyShims(shims);
    await layOutPrograms(`${suite}/setup/image`, shims);
    await Deno.writeTextFile(`${shims}/usr/local/bin/sh`, SHELL, { mode: 0o755 });
    const debian = await testImage(cache, { root: "debian", overlays: [shims], entrypoint: ["/argosay"] });
    const busybox = await testImage(cache, { root: "busybox", cmd: ["sh"] });
    return [{ folder: debian, names: DEBIAN_NAMES }, { folder: busybox, names: ["busybox"] }];
  } finally {
    await Deno.remove(shims, { recursive: true });
  }
}

/** Loads the images into a cluster. Returns false if that is impossible. */
export async function loadImages(
  cluster: ClusterUnderTest,
  options: { suite: string; cache: string },
): Promise<boolean> {
  for (const { folder, names } of await suiteImages(options)) {
    for (const name of names) if (!await cluster.load(folder, name)) return false;
  }
  return true;
}

/** Copies the suite's programs: `argosay` to the root of its image, the others to the search path. */
export async function layOutPrograms(from: string, to: string): Promise<void> {
  for await (const { name } of Deno.readDir(from)) {
    const target = name === "argosay" ? `${to}/${name}` : `${to}/usr/local/bin/${name}`;
    await Deno.copyFile(`${from}/${name}`, target);
    await Deno.chmod(target, 0o755);
  }
}
