import { assertEquals, assertStringIncludes } from "@std/assert";
import type { Pod, Template } from "@tiphys/model/api";
import { mountsOf, podFor, refusalFor } from "../testing/pod_request.ts";

const CONTAINER: Template = { container: { image: "busybox", command: ["sh"] } };

Deno.test("schedulingFields() takes the first of template, enclosing template and workflow", () => {
  const selector = (zone: string) => ({ nodeSelector: { zone } });
  const zone = (template: object, boundaryTemplate?: Template, spec = {}) =>
    podFor({ ...CONTAINER, ...template }, { boundaryTemplate, spec }).spec.nodeSelector?.zone;
  assertEquals(zone(selector("own"), selector("around"), selector("workflow")), "own");
  assertEquals(zone({}, selector("around"), selector("workflow")), "around");
  assertEquals(zone({}, undefined, selector("workflow")), "workflow");
  assertEquals(zone({}), undefined);
});

Deno.test("schedulingFields() joins the host aliases of workflow and template", () => {
  const alias = (ip: string) => ({ ip, hostnames: ["h"] });
  const pod = podFor({ ...CONTAINER, hostAliases: [alias("2.2.2.2")] }, { spec: { hostAliases: [alias("1.1.1.1")] } });
  assertEquals(pod.spec.hostAliases?.map(({ ip }) => ip), ["1.1.1.1", "2.2.2.2"]);
});

Deno.test("schedulingFields() keeps a retry away from the hosts where it failed", () => {
  const pod = podFor(CONTAINER, { excludedHosts: ["n1", "n2"] });
  assertStringIncludes(
    JSON.stringify(pod.spec.affinity),
    '"matchExpressions":[{"key":"kubernetes.io/hostname","operator":"NotIn","values":["n1","n2"]}]',
  );
});

Deno.test("schedulingFields() keeps the token from the pod only where the executor has one of its own", () => {
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

Deno.test("schedulingFields() lets the template replace what the workflow says of resources, rights and claims", () => {
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

Deno.test("schedulingFields() takes the network, pull secrets and priority of the workflow", () => {
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

Deno.test("schedulingFields() never shares the processes of a pod, or nobody could be signalled as the first", () => {
  assertEquals("shareProcessNamespace" in podFor(CONTAINER).spec, false);
});
