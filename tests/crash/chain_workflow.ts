/** A workflow whose steps pass a number on, and append a line for every time that they run. */
import type { Workflow } from "@tiphys/model/api";
import { API_VERSION } from "@tiphys/base/constants";

/** The image of its steps, which has a shell. */
export const IMAGE = "tiphys.local/programs:1";

/** Its steps, in order. */
export const STEPS = ["a", "b", "c", "d"] as const;

/** The result of its last step if no step was lost or counted twice. */
export const RESULT = String(STEPS.length);

const SCRIPT = `echo "{{workflow.name}} {{inputs.parameters.step}} $POD" >> /effects/lines
sleep 0.2
echo $(( {{inputs.parameters.before}} + 1 ))`;

/** Builds the workflow. Its steps append to the file `lines` of a folder of this machine. */
export function chainWorkflow(name: string, effects: string): Workflow {
  return {
    apiVersion: API_VERSION,
    kind: "Workflow",
    metadata: { name },
    spec: {
      entrypoint: "main",
      volumes: [{ name: "effects", hostPath: { path: effects } }],
      templates: [
        {
          name: "main",
          steps: STEPS.map((step, index) => [{
            name: step,
            template: "add",
            arguments: {
              parameters: [
                { name: "step", value: step },
                { name: "before", value: index === 0 ? "0" : `{{steps.${STEPS[index - 1]}.outputs.result}}` },
              ],
            },
          }]),
          outputs: {
            parameters: [{ name: "sum", valueFrom: { parameter: `{{steps.${STEPS.at(-1)}.outputs.result}}` } }],
          },
        },
        {
          name: "add",
          inputs: { parameters: [{ name: "step" }, { name: "before" }] },
          script: {
            image: IMAGE,
            imagePullPolicy: "Never",
            command: ["sh"],
            resources: { limits: { memory: "256Mi" } },
            source: SCRIPT,
            env: [{ name: "POD", valueFrom: { fieldRef: { fieldPath: "metadata.uid" } } }],
            volumeMounts: [{ name: "effects", mountPath: "/effects" }],
          },
        },
      ],
    },
  };
}
