/** `delete`: ignores an object that does not exist, and waits until a deleted one is gone. */
import { classifyError } from "@tiphys/kube/errors";
import { ExecutorError } from "../failure.ts";
import type { ActionContext, Target } from "./targets.ts";
import { watchVersions } from "./versions_of.ts";

const PROPAGATION = {
  background: "Background",
  true: "Background",
  foreground: "Foreground",
  orphan: "Orphan",
  false: "Orphan",
} as const;

/** Deletes an object and waits until it is gone or replaced by another one with the same name. */
export async function deleteObject(context: ActionContext, target: Target, signal: AbortSignal): Promise<void> {
  const { client, flags } = context;
  const { resource, namespace, name } = target;
  try {
    const { metadata: { uid } } = await client.get(resource, namespace, name);
    await client.delete(resource, namespace, name, {
      propagationPolicy: propagationPolicy(flags.text("cascade") ?? "background"),
      gracePeriodSeconds: gracePeriodSeconds(context),
      dryRun: flags.text("dry-run") === "server",
    });
    if (!flags.isOn("wait", true) || flags.text("dry-run") === "server") return;
    for await (const { metadata } of watchVersions(context.client, target, { signal })) {
      if (metadata.uid !== uid) return;
    }
  } catch (error) {
    if (classifyError(error) !== "notFound" || !flags.isOn("ignore-not-found", true)) throw error;
  }
}

function propagationPolicy(cascade: string) {
  if (Object.hasOwn(PROPAGATION, cascade)) return PROPAGATION[cascade as keyof typeof PROPAGATION];
  throw new ExecutorError(
    `error: invalid cascade value (${cascade}). Must be "background", "foreground", or "orphan"`,
  );
}

/** Returns the grace period of the deletion in seconds; undefined means the default of the kind. */
function gracePeriodSeconds({ flags }: ActionContext): number | undefined {
  const seconds = Number(flags.text("grace-period") ?? -1);
  if (flags.isOn("now")) return 1;
  if (seconds >= 0) return seconds;
  return flags.isOn("force") ? 0 : undefined;
}
