/** The preflight: all checks of a cluster. They only read. */
import { UserError } from "@tiphys/base/user_error";
import type { KubeClient } from "@tiphys/kube";
import { DEFAULT_CONFIG_MAP, isWithoutElection, leaseNameOf, readSettings, setupOf } from "../controller_setup.ts";
import { type InstalledProgram, installedPrograms } from "../deployments.ts";
import { checkCrds } from "./crds.ts";
import { type Finding, notChecked } from "./finding.ts";
import { checkCluster, checkLease, checkPrograms } from "./installation.ts";
import { checkRights } from "./rights.ts";
import { checkSettings } from "./settings.ts";
import { checkObjects } from "./stored_objects.ts";

/** Options of a preflight. */
export interface PreflightOptions {
  /** The namespace of the controllers. */
  readonly controllerNamespace: string;
  /** The ConfigMap of the controllers; by default the one that their arguments name. */
  readonly configMap?: string | undefined;
  /** The namespace whose workflows they run; by default the one that their arguments name, or all. */
  readonly managedNamespace?: string | undefined;
}

/** Checks everything that a takeover depends on. What the caller may not read is reported as a finding. */
export async function preflight(client: KubeClient, options: PreflightOptions): Promise<Finding[]> {
  const { controllerNamespace: home, managedNamespace } = options;
  const { programs, findings } = await readPrograms(client, home);
  const controllers = programs.filter(({ program }) => program === "controller");
  const checks = controllers.length ? controllers : [undefined];
  const ofEach = await Promise.all(checks.map((controller) => checkController(client, controller, options)));
  const managed = new Set(checks.map((check) => managedNamespace ?? (check && setupOf(check, home).managedNamespace)));
  const namespaces = managed.has(undefined) ? [undefined] : [...managed];
  const objects = await Promise.all(namespaces.map((namespace) => checkObjects(client, namespace)));
  return distinct([
    ...await checkCluster(client),
    ...await checkCrds(client),
    ...findings,
    ...ofEach.flat(),
    ...objects.flat(),
  ]);
}

async function readPrograms(
  client: KubeClient,
  namespace: string,
): Promise<{ readonly programs: readonly InstalledProgram[]; readonly findings: readonly Finding[] }> {
  try {
    const programs = await installedPrograms(client, namespace);
    return { programs, findings: checkPrograms(programs, namespace) };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { programs: [], findings: [notChecked("controller", "Deployment", "list", "apps", "deployments")] };
  }
}

/** The findings without repetitions: controllers of one account have the same permissions. */
function distinct(findings: readonly Finding[]): Finding[] {
  return [...new Map(findings.map((finding) => [JSON.stringify(finding), finding])).values()];
}

/** Checks the lease, the permissions and the settings of a controller. */
async function checkController(
  client: KubeClient,
  controller: InstalledProgram | undefined,
  { controllerNamespace: home, configMap: givenMap, managedNamespace }: PreflightOptions,
): Promise<Finding[]> {
  const setup = controller && setupOf(controller, home);
  const configMap = givenMap ?? setup?.configMap ?? DEFAULT_CONFIG_MAP;
  const settings = await checkSettings(client, home, configMap);
  if (!controller) return [...await checkLease(client, home, undefined), ...settings];
  const { instanceId } = await readSettings(client, controller, { namespace: home, configMap });
  const lease = isWithoutElection(controller) ? undefined : leaseNameOf(instanceId);
  const managed = managedNamespace ?? setup?.managedNamespace;
  return [
    ...await checkLease(client, home, instanceId),
    ...await checkRights(client, { namespace: home, account: controller.account, lease }, managed),
    ...settings,
  ];
}
