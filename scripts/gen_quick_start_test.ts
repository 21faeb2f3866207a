import { assert, assertEquals } from "@std/assert";
import { parseYaml } from "@tiphys/model/yaml";
import { quickStartManifests } from "./gen_quick_start.ts";

interface ManifestObject {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

function objectsOf(name: string): ManifestObject[] {
  const documents = parseYaml(quickStartManifests().get(name)!);
  assertEquals(documents.flatMap(({ errors }) => errors), []);
  return documents.map(({ value }) => value as unknown as ManifestObject);
}

for (const [name, database] of [["minimal", undefined], ["postgres", "postgresql"], ["mysql", "mysql"]] as const) {
  const file = `quick-start-${name}.yaml`;

  Deno.test(`${file}: names each object once, and every Secret, account and Service that its settings refer to`, () => {
    const objects = objectsOf(file);
    const names = objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
    assertEquals(new Set(names).size, names.length);
    const has = (kind: string, name: string) => names.includes(`${kind}/${name}`);
    const settings = objects.find(({ kind }) => kind === "ConfigMap")!.data!;
    assertEquals(Object.keys(settings), ["artifactRepository", ...(database ? ["persistence"] : [])]);
    const all = Object.values(settings).join("\n");
    for (const [, secret] of all.matchAll(/Secret:\s+(?:key: \w+\s+)?name: (\S+)/g)) {
      assert(has("Secret", secret!), secret);
    }
    for (const [, host] of all.matchAll(/(?:host|endpoint): ([a-z]+)/g)) assert(has("Service", host!), host);
    for (const kind of ["Deployment", "ServiceAccount"]) {
      for (const program of ["workflow-controller", "argo-server"]) assert(has(kind, program), program);
    }
    assertEquals(names.filter((name) => name.startsWith("CustomResourceDefinition/")).length, 8);
    if (database) assert(settings.persistence?.includes(`${database}:`));
  });

  Deno.test(`${file}: applies to any namespace, and has no rights beyond it`, () => {
    const objects = objectsOf(file).filter(({ kind }) => kind !== "CustomResourceDefinition");
    assertEquals(objects.filter(({ kind }) => kind.startsWith("Cluster")), []);
    assertEquals(objects.filter(({ metadata }) => "namespace" in metadata), []);
  });
}
