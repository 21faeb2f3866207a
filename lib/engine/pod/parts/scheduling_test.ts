import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Pod, Template } from "@tiphys/model/api";
import { mountsOf, podFor, refusalFor } from "../testing/pod_request.ts";

const CONTAINER: Template = { container: { image: "busybox", command: ["sh"] } };

Deno.test("schedulingFields() uses the first value of template, enclosing template and workflow", () => {
  const selector = (zone: string) => ({ nodeSelector: { zone } });
  const zone = (template: object, boundaryTemplate?: Template, spec = {}) =>
    podFor({ ...CONTAINER, ...template }, { boundaryTemplate, spec }).spec.nodeSelector?.zone;
  assertEquals(zone(selector("own"), selector("around"), selector("workflow")), "own");
  assertEquals(zone({}, selector("around"), selector("workflow")), "around");
  assertEquals(zone({}, undefined, selector("workflow")), "workflow");
  assertEquals(zone({}), undefined);
});

Deno.test("schedulingFields() merges the host aliases of workflow and template", () => {
  const alias = (ip: string) => ({ ip, hostnames: ["h"] });
  const pod = podFor({ ...CONTAINER, hostAliases: [alias("2.2.2.2")] }, { spec: { hostAliases: [alias("1.1.1.1")] } });
  assertEquals(pod.spec.hostAliases?.map(({ ip }) => ip), ["1.1.1.1", "2.2.2.2"]);
});

Deno.test("schedulingFields() excludes the hosts where earlier attempts failed", () => {
  const pod = podFor(CONTAINER, { excludedHosts: ["n1", "n2"] });
  assertStringIncludes(
    JSON.stringify(pod.spec.affinity),
    '"matchExpressions":[{"key":"kubernetes.io/hostname","operator":"NotIn","values":["n1","n2"]}]',
  );
});

Deno.test("schedulingFields() disables the pod's token only if the executor has a dedicated service account", () => {
  const spec = { automountServiceAccountToken: false };
  assertEquals(
    refusalFor(CONTAINER, { spec }),
    "executor.serviceAccountName must not be empty if automountServiceAccountToken is false",
  );
  const pod = podFor(CONTAINER, { spec: { ...spec, executor: { serviceAccountName: "exec" } } });
  assertEquals(pod.spec.automountServiceAccountToken, false);
  const volume = pod.spec.volumes?.find(({ name }) => name === "exec-sa-token");
  assertEquals(volume?.secret?.secretName, "exec.service-account-token");
  assertEquals(mountsOf(pod, "supervisor").includes("/var/run/secrets/kubernetes.io/serviceaccount"), true);
  assertEquals(mountsOf(pod, "main").includes("/var/run/secrets/kubernetes.io/serviceaccount"), false);
});

Deno.test("schedulingFields() lets the template override resources, security context and claims of the workflow", () => {
  const fields = (cpu: string, fsGroup: number, claim: string) => ({
    podResources: { limits: { cpu } },
    securityContext: { fsGroup },
    resourceClaims: [{ name: claim, resourceClaimName: claim }],
    schedulerName: claim,
  });
  const told = ({ spec }: Pod) => [
    spec.resources?.limits?.cpu,
    spec.securityContext?.fsGroup,
    spec.resourceClaims?.map(({ name }) => name),
    spec.schedulerName,
  ];
  const spec = fields("1", 1, "of-workflow");
  assertEquals(told(podFor(CONTAINER, { spec })), ["1", 1, ["of-workflow"], "of-workflow"]);
  assertEquals(told(podFor({ ...CONTAINER, ...fields("2", 2, "own") }, { spec })), ["2", 2, ["own"], "own"]);
});

Deno.test("schedulingFields() copies the network, pull secrets and priority of the workflow", () => {
  const pod = podFor({ ...CONTAINER, priorityClassName: "high" }, {
    spec: {
      hostNetwork: true,
      dnsPolicy: "None",
      dnsConfig: { nameservers: ["1.1.1.1"] },
      imagePullSecrets: [{ name: "registry" }],
      podPriorityClassName: "low",
    },
  });
  const { hostNetwork, dnsPolicy, dnsConfig, imagePullSecrets, priorityClassName } = pod.spec;
  assertEquals([hostNetwork, dnsPolicy, priorityClassName], [true, "None", "high"]);
  assertEquals([dnsConfig, imagePullSecrets], [{ nameservers: ["1.1.1.1"] }, [{ name: "registry" }]]);
});

Deno.test("schedulingFields() never shares the process namespace, so that each main is process 1 and gets signals", () => {
  assertEquals("shareProcessNamespace" in podFor(CONTAINER).spec, false);
});
