/** The cluster and the controller that is installed on it: versions, how a rollout goes, and who leads. */
import * as z from "zod";
import { DEPLOYMENTS, type KubeClient, type KubeObject, LEASES, sortError } from "@tiphys/kube";
import type { Finding } from "./finding.ts";

/** The controller that is there, as far as the preflight looks at it. */
export interface InstalledController {
  readonly namespace: string;
  readonly deployment: string;
  readonly account: string;
}

const EnvVar = z.object({ name: z.string(), value: z.string().optional() });
const Deployment = z.object({
  metadata: z.object({ name: z.string(), namespace: z.string().optional() }),
  spec: z.object({
    replicas: z.int().optional(),
    strategy: z.object({ type: z.string().optional() }).optional(),
    template: z.object({
      spec: z.object({
        serviceAccountName: z.string().optional(),
        containers: z.array(z.object({
          image: z.string().optional(),
          command: z.array(z.string()).optional(),
          env: z.array(EnvVar).optional(),
        })),
      }),
    }),
  }),
});
const Version = z.object({ major: z.string(), minor: z.string(), gitVersion: z.string().optional() });

/** The first Kubernetes that mounts images as volumes without a switch. */
const IMAGE_VOLUMES = 33;

/** Findings about the version of Kubernetes, and the layout of pods that follows from it. */
export async function checkCluster(client: KubeClient): Promise<Finding[]> {
  const read = Version.safeParse(await client.request("GET", "/version"));
  if (!read.success) {
    return [{ check: "cluster", severity: "warning", subject: "version", message: "the cluster does not say it" }];
  }
  const { major, minor, gitVersion = `${major}.${minor}` } = read.data;
  const hasVolumes = Number(major) > 1 || parseInt(minor) >= IMAGE_VOLUMES;
  const layout = hasVolumes ? "pods run without init containers" : "pods run with init containers, as Argo's";
  return [{ check: "cluster", severity: "ok", subject: "version", message: `Kubernetes ${gitVersion}: ${layout}` }];
}

/** The controllers of a namespace, and what is odd about how they are replaced. */
export async function checkController(
  client: KubeClient,
  namespace: string,
): Promise<{ readonly findings: Finding[]; readonly controller: InstalledController | undefined }> {
  const found = (await deploymentsOf(client, namespace)).flatMap((object) => {
    const read = Deployment.safeParse(object);
    return read.success && isController(read.data) ? [read.data] : [];
  });
  const [first] = found;
  if (!first) {
    const message = `no workflow-controller in namespace ${JSON.stringify(namespace)}: nothing to take over; ` +
      "install the controller, or set --controller-namespace";
    return {
      findings: [{ check: "controller", severity: "ok", subject: "Deployment", message }],
      controller: undefined,
    };
  }
  return {
    findings: found.flatMap((one) => tellController(one, namespace)),
    controller: {
      namespace,
      deployment: first.metadata.name,
      account: first.spec.template.spec.serviceAccountName ?? "default",
    },
  };
}

type Controller = z.infer<typeof Deployment>;

async function deploymentsOf(client: KubeClient, namespace: string): Promise<readonly KubeObject[]> {
  return (await client.list(DEPLOYMENTS, namespace, { limit: 500 })).items;
}

function isController({ spec }: Controller): boolean {
  return spec.template.spec.containers.some(({ image = "", command = [] }) =>
    /workflow-controller/.test(image) || command.some((word) => word.includes("workflow-controller"))
  );
}

function tellController({ metadata: { name }, spec }: Controller, namespace: string): Finding[] {
  const subject = `Deployment/${namespace}/${name}`;
  const { containers } = spec.template.spec;
  const replicas = spec.replicas ?? 1;
  const images = containers.map(({ image = "?" }) => image).join(", ");
  const findings: Finding[] = [{ check: "controller", severity: "ok", subject, message: `runs ${images}` }];
  const alone = containers.some(({ env = [] }) =>
    env.some((one) => one.name === "LEADER_ELECTION_DISABLE" && one.value === "true")
  );
  const strategy = spec.strategy?.type ?? "RollingUpdate";
  if (alone && (strategy !== "Recreate" || replicas > 1)) {
    findings.push({
      check: "controller",
      severity: "warning",
      subject,
      path: "spec.strategy.type",
      message:
        `leader election is switched off, and the strategy is ${strategy} with ${replicas} replicas: old and new ` +
        "controller would be at work at the same time; set it to Recreate",
    });
  }
  return findings;
}

const Lease = z.object({ spec: z.object({ holderIdentity: z.string().optional() }).optional() });

/** Findings about the lease of the controllers: whether one holds it now. */
export async function checkLease(client: KubeClient, namespace: string): Promise<Finding[]> {
  const subject = `Lease/${namespace}/workflow-controller`;
  try {
    const read = Lease.safeParse(await client.get(LEASES, namespace, "workflow-controller"));
    const holder = read.data?.spec?.holderIdentity;
    const message = holder ? `held by ${holder}: the next controller waits for it` : "held by nobody";
    return [{ check: "lease", severity: "ok", subject, message }];
  } catch (error) {
    if (sortError(error) !== "notFound") throw error;
    return [{ check: "lease", severity: "ok", subject, message: "there is none: no controller elects a leader here" }];
  }
}
