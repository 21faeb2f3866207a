/** What a pass of the engine costs: the first one, one in which nothing changed, one in which a single pod ended. */
import type { Workflow } from "../../../lib/api/mod.ts";
import { World } from "../../scenarios/scenario.ts";

function fanOut(pods: number): World {
  const world = new World();
  const workflow: Workflow = {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name: "w", namespace: "default", uid: "uid-1", creationTimestamp: "2026-01-01T00:00:00Z" },
    spec: {
      entrypoint: "main",
      templates: [
        {
          name: "main",
          steps: [[{
            name: "item",
            template: "say",
            withSequence: { count: String(pods) },
            arguments: { parameters: [{ name: "text", value: "{{item}}" }] },
          }]],
        },
        {
          name: "say",
          inputs: { parameters: [{ name: "text" }] },
          container: { image: "busybox", command: ["echo", "{{inputs.parameters.text}}"] },
        },
      ],
    },
  };
  world.workflow = workflow;
  return world;
}

for (const pods of [10, 100, 1000, 10_000]) {
  Deno.bench(`first pass, ${pods} pods side by side`, { group: "first pass" }, (bench) => {
    const world = fanOut(pods);
    bench.start();
    world.decide();
    bench.end();
  });

  const idle = fanOut(pods);
  idle.pass(undefined);
  Deno.bench(`pass in which nothing changed, ${pods} pods`, { group: "later pass" }, () => {
    idle.decide();
  });

  const busy = fanOut(pods);
  busy.pass(undefined);
  busy.setPod(["item(0:0)", "Succeeded"]);
  Deno.bench(`pass in which one pod ended, ${pods} pods`, { group: "later pass" }, () => {
    busy.decide();
  });
}
