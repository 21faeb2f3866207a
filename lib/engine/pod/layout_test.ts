import { assertEquals } from "@std/assert";
import type { Template } from "@tiphys/model/api";
import { LEGACY_LAYOUT, podFor } from "./testing/pod_request.ts";

const IMAGE = { image: "busybox", command: ["sh"] };
const MANIFEST: Template = {
  resource: { action: "create", manifestFrom: { artifact: { name: "m" } } },
  inputs: { artifacts: [{ name: "m", path: "/tmp/m", raw: { data: "x" } }] },
};
const KEPT_LOGS = { archiveLocation: { archiveLogs: true, s3: { key: "k" } } };

/** The names of the containers of a template's pod in each layout: init containers, a bar, containers. */
const rows: [name: string, template: Template, initless: string, legacy: string][] = [
  ["a container", { container: IMAGE }, "| supervisor main", "init | wait main"],
  ["a script", { script: { ...IMAGE, source: "x" } }, "| supervisor main", "init | wait main"],
  [
    "a container with company",
    {
      container: IMAGE,
      initContainers: [{ name: "first", ...IMAGE }],
      sidecars: [{ name: "beside", ...IMAGE }],
    },
    "first | supervisor main beside",
    "init first | wait main beside",
  ],
  [
    "a container set",
    { containerSet: { containers: [{ name: "a", ...IMAGE }, { name: "main", ...IMAGE }] } },
    "| supervisor a main",
    "init | wait a main",
  ],
  [
    "a resource whose logs are kept",
    { resource: { action: "get" }, ...KEPT_LOGS },
    "| supervisor main",
    "init | wait main",
  ],
  ["a resource", { resource: { action: "get" } }, "| main", "init | main"],
  ["a resource from an artifact", MANIFEST, "| supervisor main", "init | main"],
  [
    "data",
    { data: { source: {}, transformation: [{ expression: "data" }] }, ...KEPT_LOGS },
    "| main",
    "init | main",
  ],
];

for (const [name, template, initless, legacy] of rows) {
  Deno.test(`the pod of ${name} holds ${initless}, or ${legacy} in the legacy layout`, () => {
    const shape = (changes: Parameters<typeof podFor>[1]) => {
      const { initContainers = [], containers } = podFor(template, changes).spec;
      return [
        ...initContainers.map((container) => container.name),
        "|",
        ...containers.map((container) => container.name),
      ].join(" ");
    };
    assertEquals([shape({}), shape(LEGACY_LAYOUT)], [initless, legacy]);
  });
}
