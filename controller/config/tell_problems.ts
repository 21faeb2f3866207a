/** Settings that cannot be read, told to the administrator: in the log, and by events of the ConfigMap. */
import type { ConfigMap } from "@tiphys/model/api";
import { EVENTS, type KubeClient } from "@tiphys/kube";
import { timeText } from "@tiphys/model/status";
import type { Log } from "@tiphys/base/log";
import type { Settled } from "./config.ts";

/** The log and the client that writes events, with the clock that they take the time from. */
export interface TellOptions {
  readonly client: KubeClient;
  readonly log: Log;
  readonly now: () => Date;
}

/** The longest message that the API server takes. */
const MAX_MESSAGE = 1024;

/** Tells of the problems of a ConfigMap; an event that cannot be written is not worth stopping for. */
export async function tellProblems(
  { client, log, now }: TellOptions,
  { metadata: { name, namespace, uid, resourceVersion } }: ConfigMap,
  problems: Settled["problems"],
): Promise<void> {
  for (const { message, instead } of problems) {
    log.error("The controller's ConfigMap cannot be used as it is", { problem: message, instead });
  }
  if (problems.length === 0) return;
  const time = timeText(now());
  const event = {
    apiVersion: "v1",
    kind: "Event",
    metadata: { generateName: `${name}.`, namespace },
    involvedObject: { apiVersion: "v1", kind: "ConfigMap", name, namespace, uid, resourceVersion },
    reason: "UnreadableSetting",
    message: problems.map(({ message, instead }) => `${message}: ${instead}`).join("\n").slice(0, MAX_MESSAGE),
    type: "Warning",
    source: { component: "workflow-controller" },
    reportingComponent: "workflow-controller",
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1,
  };
  try {
    await client.create(EVENTS, namespace, event, { answer: "metadata" });
  } catch (error) {
    log.warn("Could not record an event", { error: String(error) });
  }
}
