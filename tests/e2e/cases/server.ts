/** The installed server: its account, the permissions of that account, and those of its image. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { outputOf } from "../../../scripts/command.ts";
import { USER } from "../../../scripts/gen_server.ts";
import { role } from "../../../scripts/manifest_objects.ts";
import { rulesOfRoutes } from "../../../scripts/server_roles.ts";
import { awaitServer, installServer } from "../../install/mod.ts";
import { Unavailable } from "../../artifacts/servers/server.ts";
import type { Case } from "../case.ts";

const STATUS = ["--write-out", "\n%{http_code}"];

export const SERVER: readonly Case[] = [
  {
    title: "server: serves clients that have permissions, over TLS, and needs no permission that its account lacks",
    async run({ cluster, kubectl, namespace, isForeign }) {
      if (!cluster.hostNetwork) throw new Unavailable("nobody knows a place outside of the cluster that reaches it");
      if (isForeign) await awaitServer(kubectl, namespace);
      else await installServer(kubectl, namespace);
      const address = await kubectl.output(
        "-n",
        namespace,
        "get",
        "service",
        "argo-server",
        "-o=jsonpath={.spec.clusterIP}",
      );
      const url = `https://${address}:2746/api/v1/workflows/${namespace}`;
      const [command = "", ...words] = cluster.hostNetwork.command;
      const ask = (...args: string[]) =>
        outputOf([command, ...words, "curl", "-sk", "--max-time", "20", ...STATUS, ...args]);
      // The node routes the address to the pod a moment after that is ready.
      assertStringIncludes(await ask("--retry-connrefused", "--retry", "20", "--retry-delay", "1", url), "\n401");
      const page = await ask(`https://${address}:2746/workflows/${namespace}`);
      const [, script] = /<script[^>]+src="([^"]+)"/.exec(page) ?? [];
      assertStringIncludes(await ask(`https://${address}:2746/${script}`), "\n200", page);
      const objects = [account("server-user"), account("server-nobody"), role("ClusterRole", USER, rulesOfRoutes())];
      await kubectl.apply(namespace, ...objects, {
        apiVersion: "rbac.authorization.k8s.io/v1",
        kind: "RoleBinding",
        metadata: { name: "server-user" },
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: USER },
        subjects: [{ kind: "ServiceAccount", name: "server-user", namespace }],
      });
      const authorized = async (name: string) =>
        `Authorization: Bearer ${(await kubectl.output("-n", namespace, "create", "token", name)).trim()}`;
      const user = await authorized("server-user");
      assertStringIncludes(await ask("-H", await authorized("server-nobody"), url), "\n403");
      assertStringIncludes(await ask("-H", user, url), "\n200");
      const workflow = JSON.stringify({
        workflow: {
          metadata: { generateName: "through-server-" },
          spec: { entrypoint: "none", templates: [{ name: "none", suspend: { duration: "1" } }] },
        },
      });
      assertStringIncludes(await ask("-H", user, "-d", workflow, url), "\n200");
      const logs = await kubectl.output("-n", namespace, "logs", "deployment/argo-server");
      assertEquals(/forbidden|NotCapable|Requires \w+ access/.exec(logs)?.[0], undefined, logs);
    },
  },
];

function account(name: string) {
  return { apiVersion: "v1", kind: "ServiceAccount", metadata: { name } };
}
