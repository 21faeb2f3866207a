/** A workflow template with a manifest of about 2,000 lines. */
import type { WorkflowTemplate } from "@tiphys/model/api";

const STEPS = 160;

/** Creates the template. */
export function largeTemplate(namespace: string, name: string): WorkflowTemplate {
  const steps = Array.from({ length: STEPS }, (_, index) => ({
    name: `step-${index}`,
    inputs: { parameters: [{ name: "what", value: `part ${index}` }] },
    container: {
      image: "alpine:3",
      command: ["sh", "-c"],
      args: ["echo {{inputs.parameters.what}}"],
    },
  }));
  const calls = steps.map(({ name }) => [{ name, template: name }]);
  return {
    metadata: { name, namespace, uid: `uid-${name}`, resourceVersion: "1" },
    spec: { entrypoint: "main", templates: [{ name: "main", steps: calls }, ...steps] },
  } as WorkflowTemplate;
}
