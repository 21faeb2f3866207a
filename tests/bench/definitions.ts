/** Creates our CRDs like `kubectl apply`. */
import { CUSTOM_RESOURCE_DEFINITIONS, type KubeClient } from "@tiphys/kube";
import { parseYaml } from "@tiphys/model/yaml";

const CRDS = new URL("../../manifests/crds/", import.meta.url);

/** Creates all CRDs. Returns the plurals of their kinds. */
export async function createDefinitions(client: KubeClient): Promise<string[]> {
  const plurals: string[] = [];
  for await (const { name } of Deno.readDir(CRDS)) {
    if (!name.endsWith(".yaml")) continue;
    const [document] = parseYaml(await Deno.readTextFile(new URL(name, CRDS)));
    const definition = document?.value as { spec: { names: { plural: string } } };
    await client.create(CUSTOM_RESOURCE_DEFINITIONS, undefined, definition);
    plurals.push(definition.spec.names.plural);
  }
  return plurals;
}
