/** The authorization of the server over a real API server: Kubernetes' RBAC decides. */
import { classifyError, KubeClient, NAMESPACES } from "@tiphys/kube";
import { connectKubeconfig, withAuthorization } from "@tiphys/kube/connections";
import {
  acceptsWithAllRights,
  createObjects,
  type Entrance,
  ENTRANCES,
  refusesUnauthenticated,
  refusesWithoutEachRight,
} from "../../../server/gate/testing/matrix.ts";
import { HOME, ruledOptions } from "../../../server/sso/testing/login_bench.ts";
import { benchOver, type BenchRight, NAMESPACE } from "../../../server/testing/server_bench.ts";
import { awaitFact } from "../../await_fact.ts";
import type { Kubectl } from "../../install/mod.ts";
import type { Case, Stage } from "../case.ts";

/** The part of the stage that the case needs: an API server and its administrator are enough. */
type GateStage = { readonly cluster: Pick<Stage["cluster"], "kubeconfig">; readonly kubectl: Pick<Kubectl, "try"> };

/** Sends all requests of the matrix for one way to authenticate. Returns how many requests those were. */
async function sendAll(entrance: Entrance, { cluster, kubectl }: GateStage): Promise<string> {
  const { transport: own, anonymous } = await connectKubeconfig({ kubeconfig: cluster.kubeconfig });
  const driversWithoutKey = anonymous();
  const admin = new KubeClient(own);
  try {
    await makeHome(admin);
    const settled = (token: string, rights: readonly BenchRight[], others: readonly BenchRight[]) =>
      settledRights(new KubeClient(withAuthorization(driversWithoutKey, `Bearer ${token}`)), rights, others);
    await using bench = await benchOver(
      { own, anonymous: driversWithoutKey, admin, settled },
      entrance.modes,
      ruledOptions({ modes: entrance.modes }),
    );
    await createObjects(bench);
    const asked = await refusesUnauthenticated(bench, entrance) + await refusesWithoutEachRight(bench, entrance) +
      await acceptsWithAllRights(bench, entrance);
    return `${asked} requests`;
  } finally {
    await cleanUp(kubectl);
  }
}

async function makeHome(admin: KubeClient): Promise<void> {
  try {
    await admin.create(NAMESPACES, undefined, { apiVersion: "v1", kind: "Namespace", metadata: { name: HOME } });
  } catch (error) {
    if (classifyError(error) !== "alreadyExists") throw error;
  }
}

/** Waits until Kubernetes' authorizer has processed a role, a moment after it was written. */
async function settledRights(client: KubeClient, rights: readonly BenchRight[], others: readonly BenchRight[]) {
  const is = async (right: BenchRight, expected: boolean) => {
    const path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
    const body = {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SelfSubjectAccessReview",
      spec: { resourceAttributes: { ...right, namespace: NAMESPACE, name: undefined } },
    };
    const { status } = await client.request<{ status: { allowed: boolean } }>("POST", path, { body });
    return status.allowed === expected;
  };
  for (const [list, expected] of [[rights, true], [others, false]] as const) {
    for (const right of list) {
      await awaitFact(`${right.verb} ${right.resource} is ${expected}`, () => is(right, expected), { seconds: 120 });
    }
  }
}

/** Removes the objects of the case, since the next one creates them again. */
async function cleanUp(kubectl: GateStage["kubectl"]): Promise<void> {
  const names = Array.from({ length: 4 }, (_, index) => `caller-${index + 1}`);
  await kubectl.try("delete", "clusterrolebinding", "--ignore-not-found", ...names);
  await kubectl.try("delete", "clusterrole", "--ignore-not-found", ...names);
  await kubectl.try("-n", HOME, "delete", "serviceaccount", "--ignore-not-found", ...names);
  const tokens = names.map((name) => `${name}.service-account-token`);
  await kubectl.try("-n", HOME, "delete", "secret", "--ignore-not-found", ...tokens);
  await kubectl.try("delete", "namespace", "--ignore-not-found", "--wait", NAMESPACE);
}

/** Run one after the other, because they create objects of the same names. */
export const SERVER_GATE: readonly Case[] = [{
  title: "server authorization: each permission of each route is checked by Kubernetes, in each mode",
  alone: true,
  async run(stage) {
    const done: string[] = [];
    for (const entrance of ENTRANCES) {
      done.push(`${entrance.modes.join(" and ")}: ${await sendAll(entrance, stage)}`);
    }
    return done.join(", ");
  },
}];
