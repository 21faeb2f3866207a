import { assertEquals, assertStringIncludes } from "@std/assert";
import { parseYaml } from "@tiphys/model/yaml";
import { VERSION } from "@tiphys/base/version";
import { installManifests } from "./gen_install.ts";

/** The fields of a manifest's object that are checked here. */
interface InstalledObject {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly rules?: readonly { readonly resources: string[]; readonly verbs: string[] }[];
}

function objectsOf(file: string): InstalledObject[] {
  return parseYaml(installManifests().get(file)!).map(({ value }) => value as unknown as InstalledObject);
}

Deno.test("installManifests: no role has a wildcard or a permission for secrets", () => {
  for (const file of ["install.yaml", "namespace-install.yaml"]) {
    const rules = objectsOf(file).flatMap((object) => object.rules ?? []);
    assertEquals(rules.filter(({ resources, verbs }) => [...resources, ...verbs].includes("*")), []);
    assertEquals(rules.filter(({ resources }) => resources.includes("secrets")), []);
  }
});

Deno.test("installManifests: pods may only report their results", () => {
  const executor = objectsOf("install.yaml").find(({ metadata, rules }) =>
    metadata.name === "workflow-executor" && rules
  );
  assertEquals(executor?.rules?.map(({ resources, verbs }) => [resources, verbs]), [[["workflowtaskresults"], [
    "create",
    "patch",
  ]]]);
});

Deno.test("installManifests: the collector may only read its tasks and report their results", () => {
  const collector = objectsOf("install.yaml").find(({ metadata, rules }) =>
    metadata.name === "workflow-artifact-gc" && rules
  );
  assertEquals(collector?.rules?.map(({ resources, verbs }) => [resources[0], verbs]), [
    ["workflowartifactgctasks", ["list"]],
    ["workflowartifactgctasks/status", ["patch"]],
  ]);
});

Deno.test("install for one namespace: contains no namespace and no cluster-scoped object", () => {
  for (const { kind, metadata } of objectsOf("namespace-install.yaml")) {
    assertEquals(metadata.namespace, undefined);
    assertEquals(kind.startsWith("Cluster"), false);
  }
});

Deno.test("install: runs the images of this release", () => {
  assertStringIncludes(installManifests().get("server.yaml")!, `docker.io/tiphys/argo-server:v${VERSION}`);
  const text = installManifests().get("install.yaml")!;
  assertStringIncludes(text, `docker.io/tiphys/workflow-controller:v${VERSION}`);
  assertStringIncludes(text, `docker.io/tiphys/argoexec:v${VERSION}`);
});

/** The fields of a pod that the Pod Security Standard `restricted` checks. */
interface PodSecurity {
  readonly securityContext?: { readonly runAsNonRoot?: boolean; readonly seccompProfile?: { readonly type: string } };
  readonly containers: readonly {
    readonly name: string;
    readonly volumeMounts?: readonly object[];
    readonly securityContext?: {
      readonly allowPrivilegeEscalation?: boolean;
      readonly capabilities?: { readonly drop?: string[]; readonly add?: string[] };
      readonly readOnlyRootFilesystem?: boolean;
    };
  }[];
  readonly volumes?: readonly object[];
  readonly hostNetwork?: boolean;
}

Deno.test("install: controller and server satisfy the Pod Security Standard restricted, and write only the server's temporary files", () => {
  const files = ["install.yaml", "namespace-install.yaml", "server.yaml", "namespace-server.yaml"];
  const pods = files.flatMap(objectsOf).filter(({ kind }) => kind === "Deployment").map((object) =>
    (object as unknown as { spec: { template: { spec: PodSecurity } } }).spec.template.spec
  );
  assertEquals(pods.length, 4);
  for (const { securityContext, containers, volumes, hostNetwork } of pods) {
    assertEquals([securityContext?.runAsNonRoot, securityContext?.seccompProfile?.type], [true, "RuntimeDefault"]);
    assertEquals(hostNetwork, undefined);
    for (const { name, securityContext: own, volumeMounts } of containers) {
      const isServer = name === "argo-server";
      assertEquals(volumes, isServer ? [{ name: "tmp", emptyDir: {} }] : undefined);
      assertEquals(volumeMounts, isServer ? [{ name: "tmp", mountPath: "/tmp" }] : undefined);
      assertEquals(own?.capabilities, { drop: ["ALL"] });
      assertEquals([own?.allowPrivilegeEscalation, own?.readOnlyRootFilesystem], [false, true]);
    }
  }
});
