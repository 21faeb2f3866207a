/** Problems of the settings, reported to the administrator in the log and as events of the ConfigMap. */
import type { ConfigMap } from "@tiphys/model/api";
import { EVENTS, type KubeClient } from "@tiphys/kube";
import { timeText } from "@tiphys/model/status";
import type { Log } from "@tiphys/base/log";
import type { ConfigResult } from "./config.ts";

/** The log, and the client and clock for events. */
export interface ReportOptions {
  readonly client: KubeClient;
  readonly log: Log;
  readonly now: () => Date;
}

/** The maximum length of an event's message that the API server accepts. */
const MAX_MESSAGE = 1024;

/** Reports the problems of a ConfigMap. Failing to write an event is only logged. */
export async function reportProblems(
  { client, log, now }: ReportOptions,
  { metadata: { name, namespace, uid, resourceVersion } }: ConfigMap,
  problems: ConfigResult["problems"],
): Promise<void> {
  for (const { message, consequence } of problems) {
    log.error("The controller's ConfigMap has problems", { problem: message, consequence });
  }
  if (problems.length === 0) return;
  const time = timeText(now());
  const event = {
    apiVersion: "v1",
    kind: "Event",
    metadata: { generateName: `${name}.`, namespace },
    involvedObject: { apiVersion: "v1", kind: "ConfigMap", name, namespace, uid, resourceVersion },
    reason: "UnreadableSetting",
    message: problems.map(({ message, consequence }) => `${message}: ${consequence}`).join("\n").slice(0, MAX_MESSAGE),
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
