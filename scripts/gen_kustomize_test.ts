import { relative } from "node:path";
import { assertEquals } from "@std/assert";
import { needs } from "../lib/base/testing/needs.ts";
import { parseYaml } from "@tiphys/model/yaml";
import { hasProgram, outputOf } from "./command.ts";
import { installManifests } from "./gen_install.ts";
import { kustomizeFiles } from "./gen_kustomize.ts";
import { SERVER } from "./gen_server.ts";
import { SERVER_EVENT_RULES, SERVER_SSO_RULES } from "./server_roles.ts";
import { readFlags, serverCommand } from "../server/mod.ts";

const MANIFESTS = new URL("../manifests/", import.meta.url).pathname;

const HAS_KUBECTL = await hasProgram("kubectl");

/** The fields of a built object that are checked here. */
interface BuiltObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules?: readonly object[];
  readonly subjects?: readonly object[];
  readonly roleRef?: { readonly name: string };
  readonly spec?: {
    readonly template: { readonly spec: { readonly containers: readonly { readonly args: string[] }[] } };
  };
}

function objectsIn(text: string): BuiltObject[] {
  return parseYaml(text).map(({ value }) => value as unknown as BuiltObject);
}

function nameOf({ kind, metadata }: BuiltObject): string {
  return `${kind}/${metadata.name}`;
}

/** The objects of a text by their kinds and names. */
function namesIn(text: string): string[] {
  return objectsIn(text).map(nameOf).sort();
}

Deno.test("kustomize: every file that a kustomization names exists", () => {
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
    HAS_KUBECTL,
    "AD-14 kustomize: builds the install manifests, and accepts each component",
  ),
  async fn() {
    const build = (folder: string) => outputOf(["kubectl", "kustomize", folder]);
    const installed = ["install.yaml", "server.yaml"].flatMap((file) => namesIn(installManifests().get(file)!));
    const built = namesIn(await build(`${MANIFESTS}kustomize/cluster`));
    assertEquals(built.filter((name) => !name.startsWith("CustomResourceDefinition/")), installed.sort());
    assertEquals(built.filter((name) => name.startsWith("CustomResourceDefinition/")).length, 8);
    const text = await overlay({ base: "namespace", components: ["network-policies", "report-policy"] });
    const names = namesIn(text);
    assertEquals(names.filter((name) => name.startsWith("NetworkPolicy/")).length, 2);
    assertEquals(names.includes("ValidatingAdmissionPolicy/workflow-reports"), true);
    assertEquals(text.includes("namespace: mine"), true);
  },
});

for (const base of ["cluster", "namespace"] as const) {
  Deno.test({
    ...needs(
      "kubectl",
      HAS_KUBECTL,
      `kustomize: the base ${base} with logins and events has their mode, permissions and accounts in one namespace`,
    ),
    async fn() {
      const plain = objectsIn(await overlay({ base, components: [] }));
      const built = objectsIn(await overlay({ base, components: ["sso", "events"] }));
      const modes = argsOf(built).filter((arg) => arg.startsWith("--auth-mode"));
      assertEquals(modes, ["--auth-mode=client", "--auth-mode=sso"]);
      assertEquals(argsOf(built).filter((arg) => arg !== "--auth-mode=sso"), argsOf(plain));
      const isThere = new Set(plain.map(nameOf));
      const added = built.filter((object) => !isThere.has(nameOf(object)));
      assertEquals(added.map(nameOf).sort(), [
        "Role/argo-server-events",
        "Role/argo-server-sso",
        "RoleBinding/argo-server-events",
        "RoleBinding/argo-server-sso",
      ]);
      const account = { kind: "ServiceAccount", name: SERVER, namespace: "mine" };
      for (const { kind, metadata, rules, subjects, roleRef } of added) {
        assertEquals(metadata.namespace, "mine");
        const isSso = metadata.name.endsWith("-sso");
        if (kind === "Role") assertEquals(rules, isSso ? SERVER_SSO_RULES : SERVER_EVENT_RULES);
        else assertEquals([subjects, roleRef?.name], [[account], metadata.name]);
      }
      // The server that reads these flags accepts them.
      const flags = readFlags(serverCommand().parse(argsOf(built).slice(1), { from: "user" }));
      assertEquals(flags.authMode, ["client", "sso"]);
    },
  });
}

/** The output of kustomize for an overlay in the namespace `mine`. */
async function overlay({ base, components }: { base: string; components: readonly string[] }): Promise<string> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "overlay-" }));
  try {
    // Kustomize does not accept absolute paths.
    const tree = `${relative(folder, MANIFESTS)}/kustomize`;
    const fields = {
      namespace: "mine",
      resources: [`${tree}/${base}`],
      components: components.map((name) => `${tree}/components/${name}`),
    };
    await Deno.writeTextFile(`${folder}/kustomization.yaml`, JSON.stringify(fields));
    return await outputOf(["kubectl", "kustomize", folder]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function argsOf(objects: readonly BuiltObject[]): readonly string[] {
  const server = objects.find((object) => nameOf(object) === `Deployment/${SERVER}`);
  return server?.spec?.template.spec.containers[0]?.args ?? [];
}
