/** The workflows that are simulated, as data: `cases/NAME.yaml`. */
import type { KubeObject } from "@tiphys/kube";
import { parseYaml } from "@tiphys/model/yaml";
import type { PodPlay } from "./pod_play.ts";

/** The act of a person in a case, fault or not. */
export interface Deed {
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
  /** Seconds after the workflow was submitted; a resume waits from then on for something that is suspended. */
  readonly after: number;
  /** The name of a node, without the workflow's, whose pod is meant. */
  readonly node?: string;
}

/** A case. */
export interface Case {
  readonly name: string;
  /** The reason why the case exists. */
  readonly about: string;
  /** The objects that are in the cluster beside the workflow. */
  readonly objects?: readonly KubeObject[];
  readonly workflow: KubeObject;
  /** The course of pods, by the names of their nodes without the workflow's; `*` stands for anything. */
  readonly pods?: Readonly<Record<string, PodPlay>>;
  readonly people?: readonly Deed[];
  /** The workflow is meant to be gone in the end. */
  readonly vanishes?: boolean;
  /** The course of a node's pod, where no pattern says it. */
  readonly play?: (nodeName: string) => PodPlay;
  /** Of the conformance suite: nothing is known of how it is to end. */
  readonly isOfSuite?: boolean;
}

const FOLDER = new URL("cases/", import.meta.url);

/** All cases, in the order of their names. */
export function allCases(): Case[] {
  const files = [...Deno.readDirSync(FOLDER)].map(({ name }) => name).filter((name) => name.endsWith(".yaml")).sort();
  return files.map((file) => readCase(file.slice(0, -".yaml".length)));
}

/** @throws {Error} when there is no case of this name, or it cannot be read. */
export function readCase(name: string): Case {
  return caseOf(name, readDocument(new URL(`${name}.yaml`, FOLDER)) as Partial<Case>);
}

/** The one document of a file. @throws {Error} when it cannot be read. */
export function readDocument(file: URL): unknown {
  const [document] = parseYaml(Deno.readTextFileSync(file));
  const [error] = document?.errors ?? [];
  if (!document || error) throw new Error(`Could not read ${file.pathname}: ${error?.message ?? "it is empty"}`);
  return document.value;
}

/** A case of what was written down. @throws {Error} when something is missing. */
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

/** The course of a node's pod: by the first pattern that fits, else by `play`. */
export function playOf({ name, pods = {}, play }: Case, nodeName: string): PodPlay {
  const below = nodeName === name ? "." : nodeName.slice(name.length).replace(/^\./, "");
  for (const [pattern, own] of Object.entries(pods)) {
    const words = pattern.split("*").map((text) => text.replaceAll(/[.()[\]]/g, "\\$&"));
    if (new RegExp(`^${words.join(".*")}$`).test(below)) return own;
  }
  return play?.(nodeName) ?? {};
}
