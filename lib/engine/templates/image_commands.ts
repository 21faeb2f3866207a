/** Commands of images for containers without a command: from the settings and from registries. */
import type { NodeStatus } from "@tiphys/model/api";
import type { ExecutorConfig, ImageCommand, UnknownImage } from "../pod/mod.ts";
import { millisOf } from "@tiphys/model/status";
import type { NodesDraft, RequestsDraft, Slice } from "../slice.ts";

/** The total time for requests to an unresponsive registry, and the interval between them, in milliseconds. */
const PATIENCE_MILLIS = 120_000;
const AGAIN_MILLIS = 10_000;

/** The key of an image's command among the facts. It includes the service account, which may lack access to the image. */
export function imageKey({ image, serviceAccount }: Pick<UnknownImage, "image" | "serviceAccount">): string {
  return `${serviceAccount}/${image}`;
}

/** The settings of pods with the commands found for a service account. Those of the settings take precedence. */
export function withFoundImages({ facts }: Slice, serviceAccount: string): ExecutorConfig {
  const { executor } = facts.config;
  if (!facts.images?.size) return executor;
  const found: Record<string, ImageCommand> = {};
  const start = imageKey({ image: "", serviceAccount });
  for (const [key, answer] of facts.images) {
    if (key.startsWith(start) && "command" in answer) found[key.slice(start.length)] = answer.command;
  }
  return { ...executor, images: { ...found, ...executor.images } };
}

/**
 * Requests the command of an image, unless it is known to be unavailable.
 * @returns the waiting node, or the error if waiting is pointless.
 */
export function awaitImage(
  pass: Slice<NodesDraft & RequestsDraft>,
  node: NodeStatus,
  unknown: UnknownImage,
): NodeStatus | string {
  const { config, images, now } = pass.facts;
  if (!config.looksUpImages) return "the image is not in the index";
  const answer = images?.get(imageKey(unknown));
  if (answer && "command" in answer) return "the image names neither an entrypoint nor a cmd";
  const isLate = now.getTime() > millisOf(node.startedAt) + PATIENCE_MILLIS;
  if (answer && (!answer.transient || isLate)) return answer.problem;
  pass.draft.ask({ kind: "lookUpImage", unknown });
  pass.requestPassAt(now.getTime() + AGAIN_MILLIS);
  return answer ? pass.draft.mark(node.id, "Pending", answer.problem) : node;
}
