/** Reports about the pods that the controller creates. */
import type { FieldReport } from "../field_report.ts";

/** An argument of more than the 128 KiB that Linux allows for one. */
const LONG = "x".repeat(140_000);

/** Reports about the pods that the controller creates. */
export const PODS: readonly FieldReport[] = [
  {
    issues: [16399],
    behavior: "podResources: those of the template replace those of the workflow",
    spec: "podResources: { limits: { cpu: '1', memory: 512Mi } }",
    workflow: `
  - { name: main, steps: [[{ name: small, template: small }, { name: large, template: large }]] }
  - { name: small, container: { image: alpine, command: ["true"] } }
  - { name: large, podResources: { limits: { cpu: "2" } }, container: { image: alpine, command: ["true"] } }`,
    expected: {
      phase: "Succeeded",
      pods: {
        small: [{ spec: { resources: { limits: { cpu: "1", memory: "512Mi" } } } }],
        large: [{ spec: { resources: { limits: { cpu: "2", memory: undefined } } } }],
      },
    },
  },
  {
    issues: [16576],
    behavior: "resourceClaims: those of the template replace the list of the workflow",
    spec: "resourceClaims: [{ name: gpu, resourceClaimTemplateName: small }, { name: nic, resourceClaimName: one }]",
    workflow: `
  - { name: main, steps: [[{ name: a, template: a }, { name: b, template: b }]] }
  - { name: a, container: { image: alpine, command: ["true"], resources: { claims: [{ name: gpu }] } } }
  - name: b
    resourceClaims: [{ name: gpu, resourceClaimTemplateName: large }]
    container: { image: alpine, command: ["true"] }`,
    expected: {
      phase: "Succeeded",
      pods: {
        a: [{ spec: { resourceClaims: [{ resourceClaimTemplateName: "small" }, { resourceClaimName: "one" }] } }],
        b: [{ spec: { resourceClaims: [{ resourceClaimTemplateName: "large" }] } }],
      },
    },
  },
  {
    issues: [16576],
    behavior: "resourceClaims: a template that has no pod of its own is refused",
    workflow: `
  - { name: main, resourceClaims: [{ name: gpu, resourceClaimName: one }], steps: [[{ name: a, template: ok }]] }`,
    expected: { refused: "resourceClaims" },
  },
  {
    issues: [15265, 12190],
    behavior: "container: an argument of more than 128 KiB reaches the command",
    spec: `arguments: { parameters: [{ name: big, value: ${LONG} }] }`,
    workflow: `
  - { name: main, container: { image: alpine, command: [echo], args: ["{{workflow.parameters.big}}", end] } }`,
    expected: { phase: "Succeeded", runs: { main: [`echo ${LONG} end`] } },
  },
  {
    issues: [12476],
    behavior: "podSpecPatch: that of the workflow applies first, then that of the template",
    spec: 'podSpecPatch: "{priorityClassName: low, terminationGracePeriodSeconds: 3}"',
    workflow: `
  - name: main
    podSpecPatch: "{priorityClassName: high}"
    container: { image: alpine, command: ["true"] }`,
    expected: {
      phase: "Succeeded",
      pods: { main: [{ spec: { priorityClassName: "high", terminationGracePeriodSeconds: 3 } }] },
    },
  },
  {
    issues: [12848],
    behavior: "automountServiceAccountToken: false holds for the pod with an executor of its own",
    spec: "serviceAccountName: own\nautomountServiceAccountToken: false\nexecutor: { serviceAccountName: exec }",
    workflow: `
  - { name: main, container: { image: alpine, command: ["true"] } }`,
    expected: {
      phase: "Succeeded",
      pods: { main: [{ spec: { serviceAccountName: "own", automountServiceAccountToken: false } }] },
    },
  },
];
