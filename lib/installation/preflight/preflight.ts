/** The preflight: all checks of a cluster. They only read. */
import type { KubeClient } from "@tiphys/kube";
import { checkCrds } from "./crds.ts";
import type { Finding } from "./finding.ts";
import { checkCluster, checkController, checkLease } from "./installation.ts";
import { checkRights } from "./rights.ts";
import { checkSettings } from "./settings.ts";
import { checkObjects } from "./stored_objects.ts";

/** Options of a preflight. */
export interface PreflightOptions {
  /** The namespace of the controller. */
  readonly controllerNamespace: string;
  readonly configMap: string;
  /** The namespace whose workflows it runs; all of them if absent. */
  readonly managedNamespace?: string | undefined;
}

/**
 * Checks everything that a takeover depends on.
 * @throws {KubeError} that names an object if reading it is forbidden.
 */
export async function preflight(client: KubeClient, options: PreflightOptions): Promise<Finding[]> {
  const { controllerNamespace: home, managedNamespace: managed } = options;
  const { findings, controller } = await checkController(client, home);
  return [
    ...await checkCluster(client),
    ...await checkCrds(client),
    ...findings,
    ...await checkLease(client, home),
    ...(controller ? await checkRights(client, controller, managed) : []),
    ...await checkSettings(client, home, options.configMap),
    ...await checkObjects(client, managed),
  ];
}
