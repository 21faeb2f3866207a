import { relative } from "node:path";
import { assertEquals } from "@std/assert";
import { needs } from "../lib/testing/needs.ts";
import { parseYaml } from "../lib/yaml/mod.ts";
import { hasProgram, outputOf } from "./command.ts";
import { installManifests } from "./gen_install.ts";
import { kustomizeFiles } from "./gen_kustomize.ts";

const MANIFESTS = new URL("../manifests/", import.meta.url).pathname;

/** The objects of a text by their kinds and names. */
function namesIn(text: string): string[] {
  const objects = parseYaml(text).map(({ value }) => value as unknown as { kind: string; metadata: { name: string } });
  return objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`).sort();
}

Deno.test("every file that a kustomization names is there", () => {
  const files = kustomizeFiles();
  for (const [path, text] of files) {
    if (!path.endsWith("/Kustomization")) continue;
    const { resources } = parseYaml(text)[0]!.value as unknown as { resources: string[] };
    const folder = path.slice(0, path.lastIndexOf("/") + 1);
    for (const resource of resources) {
      if (path === "crds/Kustomization" || resource === "../../crds") continue;
      assertEquals(files.has(folder + resource), true, `${path}: ${resource}`);
    }
  }
});

Deno.test({
  ...needs(
    "kubectl",
    await hasProgram("kubectl"),
    "AD-14 kustomize builds what the install manifests say, and takes each component",
  ),
  async fn() {
    const build = (folder: string) => outputOf(["kubectl", "kustomize", folder]);
    const installed = ["install.yaml", "server.yaml"].flatMap((file) => namesIn(installManifests().get(file)!));
    const built = namesIn(await build(`${MANIFESTS}kustomize/cluster`));
    assertEquals(built.filter((name) => !name.startsWith("CustomResourceDefinition/")), installed.sort());
    assertEquals(built.filter((name) => name.startsWith("CustomResourceDefinition/")).length, 8);
    const overlay = await Deno.realPath(await Deno.makeTempDir({ prefix: "overlay-" }));
    try {
      // Kustomize takes no absolute paths.
      const tree = `${relative(overlay, MANIFESTS)}/kustomize`;
      const components = ["network-policies", "report-policy"].map((name) => `${tree}/components/${name}`);
      const fields = { namespace: "mine", resources: [`${tree}/namespace`], components };
      await Deno.writeTextFile(`${overlay}/kustomization.yaml`, JSON.stringify(fields));
      const text = await build(overlay);
      const names = namesIn(text);
      assertEquals(names.filter((name) => name.startsWith("NetworkPolicy/")).length, 2);
      assertEquals(names.includes("ValidatingAdmissionPolicy/workflow-reports"), true);
      assertEquals(text.includes("namespace: mine"), true);
    } finally {
      await Deno.remove(overlay, { recursive: true });
    }
  },
});
