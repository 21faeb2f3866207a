/** The simulated workflows, as data: `cases/NAME.yaml`. */
import type { KubeObject } from "@tiphys/kube";
import { parseYaml } from "@tiphys/model/yaml";
import type { PodPlay } from "./pod_play.ts";

/** An action of a user in a case, or a fault of the same kind. */
export interface UserAction {
  readonly do:
    | "resume"
    | "stop"
    | "terminate"
    | "suspend"
    | "retry"
    | "deletePod"
    | "deleteWorkflow"
    | "edit"
    | "configure";
  /** Seconds after the workflow was submitted. A resume waits from then on until something is suspended. */
  readonly after: number;
  /** The node whose pod is meant, by its name without the workflow's. */
  readonly node?: string;
}

/** A case of the simulation. */
export interface Case {
  readonly name: string;
  /** The purpose of the case. */
  readonly about: string;
  /** The objects in the cluster besides the workflow. */
  readonly objects?: readonly KubeObject[];
  readonly workflow: KubeObject;
  /** The behavior of pods, by the names of their nodes without the workflow's; `*` matches anything. */
  readonly pods?: Readonly<Record<string, PodPlay>>;
  readonly people?: readonly UserAction[];
  /** Whether the workflow is deleted in the end. */
  readonly vanishes?: boolean;
  /** The behavior of a node's pod that no pattern matches. */
  readonly play?: (nodeName: string) => PodPlay;
  /** Whether the case is from the conformance suite: its expected end is unknown. */
  readonly isOfSuite?: boolean;
}

const FOLDER = new URL("cases/", import.meta.url);

/** All cases, ordered by name. */
export function allCases(): Case[] {
  const files = [...Deno.readDirSync(FOLDER)].map(({ name }) => name).filter((name) => name.endsWith(".yaml")).sort();
  return files.map((file) => readCase(file.slice(0, -".yaml".length)));
}

/** @throws {Error} when the case does not exist or cannot be read */
export function readCase(name: string): Case {
  return caseOf(name, readDocument(new URL(`${name}.yaml`, FOLDER)) as Partial<Case>);
}

/** The only document of a file. @throws {Error} when it cannot be read */
export function readDocument(file: URL): unknown {
  const [document] = parseYaml(Deno.readTextFileSync(file));
  const [error] = document?.errors ?? [];
  if (!document || error) throw new Error(`Could not read ${file.pathname}: ${error?.message ?? "it is empty"}`);
  return document.value;
}

/** Builds a case from its file. @throws {Error} when a field is missing */
export function caseOf(name: string, written: Partial<Case>): Case {
  const { about, objects, workflow, pods, people, vanishes } = written;
  if (!about || !workflow) throw new Error(`The case ${name} lacks "about" or "workflow"`);
  const named = {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    ...workflow,
    metadata: { ...workflow.metadata, name },
  };
  return { name, about, objects, workflow: named, pods, people, vanishes };
}

/** The behavior of a node's pod: of the first pattern that matches, else `play`. */
export function playOf({ name, pods = {}, play }: Case, nodeName: string): PodPlay {
  const below = nodeName === name ? "." : nodeName.slice(name.length).replace(/^\./, "");
  for (const [pattern, own] of Object.entries(pods)) {
    const words = pattern.split("*").map((text) => text.replaceAll(/[.()[\]]/g, "\\$&"));
    if (new RegExp(`^${words.join(".*")}$`).test(below)) return own;
  }
  return play?.(nodeName) ?? {};
}
