/** Worlds for tests with an installed Argo, whose Deployments and canaries make progress while a command waits. */
import { DEPLOYMENTS, type KubeClient, KubeError, type KubeObject, WORKFLOWS } from "@tiphys/kube";
import type { KubeList } from "@tiphys/kube/object";
import { FakeWorld } from "./fake_world.ts";

/** A Deployment of an installation, as far as a takeover depends on it. */
export interface InstalledDeployment {
  readonly name: string;
  readonly namespace?: string;
  /** The container of the program. */
  readonly container: Readonly<Record<string, unknown>>;
  /** Containers before it. */
  readonly sidecars?: readonly object[];
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Metadata that the embedded API does not accept, and that lists of Deployments contain. */
  readonly listed?: Readonly<Record<string, unknown>>;
  readonly spec?: Readonly<Record<string, unknown>>;
}

/** The behavior of the cluster while a command waits. */
export interface Behavior {
  /** Images whose pods never become available. */
  readonly broken?: readonly string[];
  readonly canary?: "Succeeded" | "Failed" | "Pending";
  /** The message of canaries that do not succeed. */
  readonly message?: string;
  /** Called at each wait with its number, starting at 1. */
  readonly onWait?: (count: number) => void;
}

/** Creates a world with Deployments. Each wait of a command updates the status of all Deployments and canaries. */
export async function createInstalledWorld(
  deployments: readonly InstalledDeployment[],
  behavior: Behavior = {},
): Promise<FakeWorld> {
  const world = new FakeWorld();
  for (const deployment of deployments) {
    await world.client.create(DEPLOYMENTS, deployment.namespace ?? "argo", deploymentObject(deployment));
  }
  const list = world.client.list.bind(world.client) as (...args: unknown[]) => Promise<KubeList>;
  const listing = async (...args: unknown[]) => {
    const found = await list(...args);
    if (args[0] !== DEPLOYMENTS) return found;
    const items = found.items.map((item) => {
      const { listed } = deployments.find(({ name }) => name === item.metadata.name) ?? {};
      return { ...item, metadata: { ...item.metadata, ...listed } };
    });
    return { ...found, items };
  };
  Object.assign(world.client, { list: listing });
  const cluster = world.api.client();
  let time = 0;
  let waits = 0;
  world.clock = {
    now: () => time,
    after(millis, act) {
      time += millis;
      behavior.onWait?.(++waits);
      void turn(cluster, behavior).then(act);
      return () => {};
    },
  };
  return world;
}

/** Returns a Deployment as stored in the cluster. */
export function deploymentObject(
  { name, namespace = "argo", container, sidecars = [], metadata = {}, spec = {} }: InstalledDeployment,
): KubeObject {
  const labels = { app: name };
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, namespace, ...metadata },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      ...spec,
      template: {
        metadata: { labels },
        spec: { serviceAccountName: "argo", containers: [...sidecars, { name, ...container }] },
      },
    },
  } as KubeObject;
}

interface Containers {
  readonly replicas?: number;
  readonly template: { readonly spec: { readonly containers: { name: string; image: string; args?: string[] }[] } };
}

async function turn(
  client: KubeClient,
  { broken = [], canary = "Succeeded", message = "no such image" }: Behavior,
): Promise<void> {
  for (const { metadata, spec } of (await client.list(DEPLOYMENTS, undefined)).items) {
    const { template, replicas = 1 } = spec as Containers;
    const isBroken = template.spec.containers.some(({ image }) => broken.includes(image));
    const status = {
      observedGeneration: metadata.generation,
      replicas,
      updatedReplicas: replicas,
      availableReplicas: isBroken ? 0 : replicas,
    };
    await client.patch(DEPLOYMENTS, metadata.namespace, metadata.name!, { status }, "merge", { subresource: "status" });
  }
  for (const { metadata } of (await client.list(WORKFLOWS, undefined)).items) {
    const end = canary === "Pending" ? {} : { finishedAt: "2026-01-01T00:00:00Z" };
    const status = { phase: canary, ...end, ...(canary === "Succeeded" ? {} : { message }) };
    await client.patch(WORKFLOWS, metadata.namespace, metadata.name!, { status });
  }
}

/** Returns the images and arguments of all containers of a namespace's Deployments, by name. */
export async function programsOf({ client }: FakeWorld, namespace = "argo"): Promise<Record<string, string>> {
  const { items } = await client.list(DEPLOYMENTS, namespace);
  return Object.fromEntries(items.map(({ metadata, spec }) => {
    const { containers } = (spec as unknown as Containers).template.spec;
    return [metadata.name!, containers.map(({ image, args = [] }) => [image, ...args].join(" ")).join(" | ")];
  }));
}

/** Returns the canaries as `NAMESPACE INSTANCE`. */
export async function canariesOf({ client }: FakeWorld, instanceLabel: string): Promise<string[]> {
  const { items } = await client.list(WORKFLOWS, undefined);
  return items.map(({ metadata: { namespace = "", labels = {} } }) =>
    [namespace, labels[instanceLabel]].filter(Boolean).join(" ")
  ).sort();
}

/** Makes the API server reject each request that matches a pattern of `METHOD PATH`, as forbidden. */
export function forbid(world: FakeWorld, pattern: RegExp, message = "the request is forbidden"): void {
  const request = world.client.request.bind(world.client) as (...args: unknown[]) => Promise<unknown>;
  const refusing = async (method: string, path: string, ...options: unknown[]) => {
    if (pattern.test(`${method} ${path}`)) throw new KubeError(message, { status: 403 });
    return await request(method, path, ...options);
  };
  Object.assign(world.client, { request: refusing });
}
