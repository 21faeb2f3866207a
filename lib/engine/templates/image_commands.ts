/** Commands of images for containers without a command: from the settings and from registries. */
import type { NodeStatus } from "@tiphys/model/api";
import type { ExecutorConfig, ImageCommand, UnknownImage } from "../pod/mod.ts";
import { millisOf } from "@tiphys/model/status";
import type { NodesDraft, RequestsDraft, Slice } from "../slice.ts";

/** The total time for requests to an unresponsive registry, and the interval between them, in milliseconds. */
const LOOKUP_TIMEOUT_MILLIS = 120_000;
const LOOKUP_INTERVAL_MILLIS = 10_000;

/**
 * The key of an image's command among the facts. It includes the service account, which may lack access to the image.
 */
export function imageKey({ image, serviceAccount }: Pick<UnknownImage, "image" | "serviceAccount">): string {
  return `${serviceAccount}/${image}`;
}

/** The settings of pods with the commands found for a service account. Those of the settings take precedence. */
export function withImageCommands({ facts }: Slice, serviceAccount: string): ExecutorConfig {
  const { executor } = facts.config;
  if (!facts.images?.size) return executor;
  const found: Record<string, ImageCommand> = {};
  const start = imageKey({ image: "", serviceAccount });
  for (const [key, result] of facts.images) {
    if (key.startsWith(start) && "command" in result) found[key.slice(start.length)] = result.command;
  }
  return { ...executor, images: { ...found, ...executor.images } };
}

/**
 * Requests the command of an image, unless it is known to be unavailable.
 * @returns the waiting node, or the error if waiting is pointless.
 */
export function requestImageCommand(
  pass: Slice<NodesDraft & RequestsDraft>,
  node: NodeStatus,
  unknown: UnknownImage,
): NodeStatus | string {
  const { config, images, now } = pass.facts;
  if (!config.looksUpImages) return "the image is not in the index";
  const result = images?.get(imageKey(unknown));
  if (result && "command" in result) return "the image names neither an entrypoint nor a cmd";
  const hasTimedOut = now.getTime() > millisOf(node.startedAt) + LOOKUP_TIMEOUT_MILLIS;
  if (result && (!result.transient || hasTimedOut)) return result.problem;
  pass.draft.request({ kind: "lookUpImage", unknown });
  pass.requestPassAt(now.getTime() + LOOKUP_INTERVAL_MILLIS);
  return result ? pass.draft.mark(node.id, "Pending", result.problem) : node;
}
