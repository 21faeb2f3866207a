import { assertEquals } from "@std/assert";
import { LABEL } from "@tiphys/base/constants";
import { surplusWorkflows } from "./surplus.ts";

/** Finished workflows of a phase, created one second apart, with additional labels. */
function finished(phase: string, names: string, labels: Record<string, string> = {}, namespace = "n") {
  return names.split(" ").map((name, index) => ({
    metadata: {
      name,
      namespace,
      uid: `${namespace}-${name}`,
      creationTimestamp: `2026-01-01T00:00:0${index}Z`,
      labels: { [LABEL.phase]: phase, [LABEL.completed]: "true", ...labels },
    },
  }));
}

function namesOf(
  policy: Parameters<typeof surplusWorkflows>[0],
  ...workflows: ReturnType<typeof finished>[]
): string[] {
  return surplusWorkflows(policy, workflows.flat()).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
}

Deno.test("surplusWorkflows(): keeps the newest workflows of a phase, and none of a phase without a number", () => {
  const all = [finished("Succeeded", "a b c d"), finished("Failed", "e"), finished("Error", "f g")];
  assertEquals(namesOf({ completed: 2 }, ...all), ["n/a", "n/b", "n/e", "n/f", "n/g"]);
  assertEquals(namesOf({ completed: 9, failed: 9, errored: 1 }, ...all), ["n/f"]);
});

Deno.test("surplusWorkflows(): counts workflows of the same name in two namespaces separately", () => {
  const all = [finished("Succeeded", "a b"), finished("Succeeded", "a b", {}, "m")];
  assertEquals(namesOf({ completed: 3 }, ...all), ["m/a"]);
});

Deno.test("surplusWorkflows(): excludes workflows that are running, waiting to be archived, or being deleted", () => {
  const running = finished("Running", "a", { [LABEL.completed]: "false" });
  const archiving = finished("Succeeded", "b", { [LABEL.archivingStatus]: "Pending" });
  const archived = finished("Succeeded", "c", { [LABEL.archivingStatus]: "Archived" });
  const going = finished("Succeeded", "d").map(({ metadata }) => ({
    metadata: { ...metadata, deletionTimestamp: "2026-01-01T00:00:00Z" },
  }));
  assertEquals(namesOf({}, running, archiving, archived, going), ["n/c"]);
});
