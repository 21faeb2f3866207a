/** The manifests and the chart of a release. */
import { assertEquals, assertMatch } from "@std/assert";
import { VERSION } from "@tiphys/base/version";
import { buildManifests } from "./build_manifests.ts";

const IMAGES = ["argoexec", "workflow-controller", "argo-server"].map((name, index) => ({
  reference: `docker.io/tiphys/${name}:v${VERSION}`,
  digest: `sha256:${`${index}`.repeat(64)}`,
}));

Deno.test("buildManifests: pins each image of manifests and chart by digest, and writes the same bytes twice", async () => {
  const folder = await Deno.makeTempDir({ prefix: "tiphys-manifests-test-" });
  try {
    const charts = [];
    for (const build of ["one", "two"]) {
      const chart = await buildManifests(`${folder}/${build}`, IMAGES);
      charts.push((await Deno.readFile(chart)).toHex());
    }
    assertEquals(charts[0] === charts[1], true);
    const text = await Deno.readTextFile(`${folder}/one/manifests/quick-start-minimal.yaml`);
    for (const { reference, digest } of IMAGES) {
      assertMatch(text, new RegExp(`${RegExp.escape(reference)}@${digest}`));
      assertEquals(text.replaceAll(`${reference}@${digest}`, "").includes(reference), false);
    }
    const packed = new Blob([await Deno.readFile(`${folder}/one/chart/tiphys-${VERSION}.tgz`)]);
    const chart = await new Response(packed.stream().pipeThrough(new DecompressionStream("gzip"))).text();
    for (const { digest } of IMAGES) assertEquals(chart.includes(`"v${VERSION}@${digest}"`), true, digest);
    // A default in the values would override the user's images.tag.
    assertEquals(/\n +tag: "[^"]/.test(chart), false);
    for (const path of ["Chart.yaml", "templates/NOTES.txt", "files/crds/argoproj.io_workflows.yaml"]) {
      assertEquals(chart.includes(`tiphys/${path}`), true, path);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
