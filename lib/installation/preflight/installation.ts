/** The cluster and the installed controller: versions, the rollout strategy, and the leader. */
import * as z from "zod";
import { classifyError, type KubeClient, LEASES } from "@tiphys/kube";
import { isWithoutElection, leaseNameOf } from "../controller_setup.ts";
import type { InstalledProgram } from "../deployments.ts";
import { type Finding, notChecked, type Severity } from "./finding.ts";

const Version = z.object({ major: z.string(), minor: z.string(), gitVersion: z.string().optional() });

/** The first minor version of Kubernetes that mounts images as volumes by default. */
const IMAGE_VOLUMES = 33;

/** Findings about the version of Kubernetes, and the layout of pods that follows from it. */
export async function checkCluster(client: KubeClient): Promise<Finding[]> {
  const read = Version.safeParse(await client.request("GET", "/version"));
  if (!read.success) {
    return [{ check: "cluster", severity: "warning", subject: "version", message: "the cluster does not report it" }];
  }
  const { major, minor, gitVersion = `${major}.${minor}` } = read.data;
  const hasVolumes = Number(major) > 1 || parseInt(minor) >= IMAGE_VOLUMES;
  const layout = hasVolumes ? "pods run without init containers" : "pods run with init containers, as in Argo";
  return [{ check: "cluster", severity: "ok", subject: "version", message: `Kubernetes ${gitVersion}: ${layout}` }];
}

/** Findings about the programs of a namespace: their images, and what prevents their replacement. */
export function checkPrograms(programs: readonly InstalledProgram[], namespace: string): Finding[] {
  const findings = programs.flatMap((program) => findingsOf(program, namespace));
  if (programs.some(({ program }) => program === "controller")) return findings;
  const message = `no workflow-controller in namespace ${JSON.stringify(namespace)}: nothing to take over; ` +
    "install the controller, or set --controller-namespace";
  return [{ check: "controller", severity: "ok", subject: "Deployment", message }, ...findings];
}

function findingsOf(program: InstalledProgram, namespace: string): Finding[] {
  const subject = `Deployment/${namespace}/${program.name}`;
  const { replicas, strategy, owner, paused, image, version } = program;
  const findings: Finding[] = [{ check: "controller", severity: "ok", subject, message: `runs ${image}` }];
  const add = (severity: Severity, message: string, path?: string) =>
    findings.push({ check: "controller", severity, subject, ...(path ? { path } : {}), message });
  if (owner) {
    add("problem", `${owner} controls it and reverts changes: set the images there`, "metadata.ownerReferences");
  }
  if (paused) add("problem", "rollouts are paused: run kubectl rollout resume first", "spec.paused");
  const missing = missingCommand(program);
  if (missing !== undefined) {
    add("problem", `the images do not have the command ${missing}: remove it first`, `${CONTAINERS}.command`);
  }
  const old = version && wordsAboutVersion(version);
  if (program.program !== "controller") return findings;
  if (replicas === 0) {
    add("problem", "is scaled to 0: without a controller no workflow can verify the takeover", "spec.replicas");
  }
  if (old) add("warning", old);
  if (isWithoutElection(program) && (strategy !== "Recreate" || replicas > 1)) {
    add(
      "warning",
      `leader election is disabled, and the strategy is ${strategy} with ${replicas} replicas: old and new ` +
        "controller would run at the same time; set it to Recreate",
      "spec.strategy.type",
    );
  }
  return findings;
}

const CONTAINERS = "spec.template.spec.containers[]";

/** The command of a Deployment that the images do not have; undefined without one, or if it is the program's name. */
function missingCommand({ program, command: [first] }: InstalledProgram): string | undefined {
  const name = program === "controller" ? "workflow-controller" : "argo-server";
  return first === undefined || first === name || first === `/bin/${name}` ? undefined : first;
}

/** The minor version of Argo with which this release is compared, and the first one whose pods report in objects. */
const COMPARED = [4, 1] as const;
const WITH_REPORTS = [3, 4] as const;

function wordsAboutVersion(version: string): string | undefined {
  const [, major, minor] = /^v?(\d+)\.(\d+)/.exec(version) ?? [];
  const number = Number(major) * 1000 + Number(minor);
  const numberOf = ([major, minor]: readonly [number, number]) => major * 1000 + minor;
  if (number < numberOf(WITH_REPORTS)) {
    return `${version} is older than ${WITH_REPORTS.join(".")}: its pods in flight report in annotations, which are ` +
      "not read; wait until running workflows have finished";
  }
  if (number <= numberOf(COMPARED)) return undefined;
  return `${version} is newer than ${COMPARED.join(".")}, with which this release is compared`;
}

const Lease = z.object({ spec: z.object({ holderIdentity: z.string().optional() }).optional() });

/** Findings about the lease of the controllers of an instance ID: whether it is held. */
export async function checkLease(
  client: KubeClient,
  namespace: string,
  instanceId: string | undefined,
): Promise<Finding[]> {
  const name = leaseNameOf(instanceId);
  const subject = `Lease/${namespace}/${name}`;
  try {
    const read = Lease.safeParse(await client.get(LEASES, namespace, name));
    const holder = read.data?.spec?.holderIdentity;
    const message = holder ? `held by ${holder}: the next controller waits for it` : "not held";
    return [{ check: "lease", severity: "ok", subject, message }];
  } catch (error) {
    if (classifyError(error) === "forbidden") {
      return [notChecked("lease", subject, "get", "coordination.k8s.io", "leases")];
    }
    if (classifyError(error) !== "notFound") throw error;
    return [{ check: "lease", severity: "ok", subject, message: "missing: leader election is not used" }];
  }
}
