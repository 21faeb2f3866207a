/** The kubelet's interface for the API: the two requests about a pod that cannot be answered from an object. */

import type { KubeObject } from "@tiphys/kube";
import type { ExecResult } from "@tiphys/kube/exec";
import type { ContainerStatus, PodStatus } from "@tiphys/model/api";
import type { ApiContext } from "../context.ts";
import { badRequest, StatusError } from "../status_error.ts";
import { getStored, type Target } from "../writing/update.ts";

/** The part of a container's log to return, in the terms of the API's query. */
export interface KubeletLogOptions {
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly tailLines?: number;
  readonly limitBytes?: number;
  readonly sinceSeconds?: number;
  readonly sinceTime?: string;
}

/** Implemented by the kubelet. A KubeError or StatusError that it throws becomes the response. */
export interface KubeletHooks {
  logs(
    namespace: string,
    pod: string,
    container: string,
    options: KubeletLogOptions,
  ): ReadableStream<Uint8Array> | Promise<ReadableStream<Uint8Array>>;
  /** Runs a command. With streams, the result does not contain the output. */
  exec(
    namespace: string,
    pod: string,
    container: string,
    command: readonly string[],
    streams?: ExecStreams,
  ): Promise<ExecResult>;
}

/** The input and output of a running command, for an interactive client. */
export interface ExecStreams {
  /** Its standard input, if any. If it fails, the command is ended with that error. */
  readonly input?: ReadableStream<Uint8Array> | undefined;
  /** Receives output. The command waits meanwhile, and is ended if this fails. */
  readonly output: (stream: "stdout" | "stderr", chunk: Uint8Array) => Promise<void> | void;
}

/** A container of a pod on a node. */
export interface RunningContainer {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
}

/**
 * Returns the container of a log or exec request.
 * @throws {StatusError} 404 or 400.
 */
export function namedContainer(context: ApiContext, target: Target, name: string | null): RunningContainer {
  const { object } = getStored(context, target);
  const { nodeName } = (object.spec ?? {}) as { nodeName?: string };
  const container = name || onlyContainer(object);
  if (!containerNames(object).includes(container)) {
    throw badRequest(`container ${container} is not valid for pod ${target.name}`);
  }
  if (!nodeName) throw badRequest(`pod ${target.name} does not have a host assigned`);
  return { namespace: target.namespace ?? "", pod: target.name, container };
}

/** @throws {StatusError} 400 if the container of a log request has not started yet. */
export function checkStarted(context: ApiContext, target: Target, container: string): void {
  const { waiting } = (containerStatus(context, target, container)?.state ?? {}) as { waiting?: { reason?: string } };
  if (!waiting || containerStatus(context, target, container)?.restartCount) return;
  const why = waiting.reason ?? "ContainerCreating";
  throw badRequest(`container "${container}" in pod "${target.name}" is waiting to start: ${why}`);
}

/** @throws {StatusError} 400 if the previous log is requested, and the container has not been restarted. */
export function checkPrevious(context: ApiContext, target: Target, container: string): void {
  if (containerStatus(context, target, container)?.restartCount) return;
  throw badRequest(`previous terminated container "${container}" in pod "${target.name}" not found`);
}

function containerStatus(context: ApiContext, target: Target, container: string): Partial<ContainerStatus> | undefined {
  const { status } = getStored(context, target).object as { status?: PodStatus };
  const statuses: ContainerStatus[] = [...status?.containerStatuses ?? [], ...status?.initContainerStatuses ?? []];
  return statuses.find(({ name }) => name === container);
}

/** Parses the query of a log request. */
export function parseLogOptions(query: URLSearchParams): KubeletLogOptions {
  const sinceTime = query.get("sinceTime");
  if (sinceTime && Number.isNaN(Date.parse(sinceTime))) {
    throw badRequest(`sinceTime: Invalid value: ${JSON.stringify(sinceTime)}: must be a time, as 2006-01-02T15:04:05Z`);
  }
  return {
    follow: query.get("follow") === "true",
    previous: query.get("previous") === "true",
    timestamps: query.get("timestamps") === "true",
    ...parseNumber(query, "tailLines"),
    ...parseNumber(query, "limitBytes"),
    ...parseNumber(query, "sinceSeconds"),
    ...(sinceTime && { sinceTime }),
  };
}

/** Returns the hooks. @throws {StatusError} 503 if no kubelet is connected yet. */
export function requireKubelet(hooks: KubeletHooks | undefined): KubeletHooks {
  if (hooks) return hooks;
  throw new StatusError(503, "ServiceUnavailable", "no kubelet is connected to this API server");
}

function parseNumber(query: URLSearchParams, name: string): Record<string, number> {
  const text = query.get(name);
  if (text === null || text === "") return {};
  if (!/^\d+$/.test(text)) throw badRequest(`${name}: Invalid value: "${text}": must be a non-negative number`);
  return { [name]: Number(text) };
}

function containerNames(pod: KubeObject): string[] {
  const spec = (pod.spec ?? {}) as Record<string, { name: string }[] | undefined>;
  return [...spec.containers ?? [], ...spec.initContainers ?? [], ...spec.ephemeralContainers ?? []].map((c) => c.name);
}

function onlyContainer(pod: KubeObject): string {
  const { containers = [] } = (pod.spec ?? {}) as { containers?: { name: string }[] };
  if (containers.length === 1) return containers[0]!.name;
  const names = containers.map((container) => container.name).join(" ");
  throw badRequest(`a container name must be specified for pod ${pod.metadata.name}, choose one of: [${names}]`);
}
