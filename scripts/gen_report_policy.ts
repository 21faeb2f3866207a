/**
 * The admission policy that binds reports to pods: a request with the token of a pod may only write the report of that
 * pod's node. It complements the seal of reports (`lib/model/report_seal.ts`): it also prevents others from damaging a
 * report. Policies are cluster-wide, so it is a separate file.
 */
import { GROUP } from "@tiphys/model/api";
import { LABEL } from "@tiphys/base/constants";

/** The name of the file in `manifests/`. */
export const REPORT_POLICY_FILE = "report-policy.yaml";

const NAME = "workflow-reports";
const PART_OF = { "app.kubernetes.io/part-of": "tiphys" };

/** The extra field with the pod's name, which Kubernetes adds for each token of a pod. */
const POD_NAME = "authentication.kubernetes.io/pod-name";

/** Returns the last part of a name: the number that a node's ID and its pod's name have in common. */
const lastPart = (name: string) => `${name}.split('-')[size(${name}.split('-')) - 1]`;
/** Returns whether a name belongs to a workflow: its own name, or one that begins with it. */
const belongs = (name: string) => `(${name} == variables.workflow || ${name}.startsWith(variables.workflow + '-'))`;

/** Returns the policy and its binding, for all namespaces. */
export function reportPolicy(): readonly object[] {
  const metadata = { name: NAME, labels: PART_OF };
  const apiVersion = "admissionregistration.k8s.io/v1";
  return [
    {
      apiVersion,
      kind: "ValidatingAdmissionPolicy",
      metadata,
      spec: {
        failurePolicy: "Fail",
        matchConstraints: {
          resourceRules: [{
            apiGroups: [GROUP],
            apiVersions: ["*"],
            operations: ["CREATE", "UPDATE"],
            resources: ["workflowtaskresults"],
          }],
        },
        matchConditions: [{
          name: "by-a-pod",
          expression: `has(request.userInfo.extra) && '${POD_NAME}' in request.userInfo.extra`,
        }],
        variables: [
          { name: "pod", expression: `request.userInfo.extra['${POD_NAME}'][0]` },
          { name: "workflow", expression: workflowOf("object") },
        ],
        validations: [
          {
            expression: `${lastPart("object.metadata.name")} == ${lastPart("variables.pod")}`,
            message: "a pod may report only its own node",
          },
          {
            expression: "variables.workflow != '' && " +
              `${belongs("object.metadata.name")} && ${belongs("variables.pod")}`,
            message: "a pod reports to its own workflow only",
          },
          {
            expression: `oldObject == null || (${workflowOf("oldObject")}) == variables.workflow`,
            message: "a report stays with its workflow",
          },
          {
            expression: "!has(object.metadata.ownerReferences) || object.metadata.ownerReferences.all(owner, " +
              "owner.kind != 'Workflow' || owner.name == variables.workflow)",
            message: "a report is owned by its own workflow only",
          },
        ],
      },
    },
    {
      apiVersion,
      kind: "ValidatingAdmissionPolicyBinding",
      metadata,
      spec: { policyName: NAME, validationActions: ["Deny"] },
    },
  ];
}

function workflowOf(object: string): string {
  const labels = `${object}.metadata.labels`;
  return `has(${labels}) && '${LABEL.workflow}' in ${labels} ? ${labels}['${LABEL.workflow}'] : ''`;
}
