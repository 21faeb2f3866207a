/** Tests of the addresses that artifact stores may connect to. */
import { assertEquals } from "@std/assert";
import type { Artifact, Workflow } from "@tiphys/model/api";
import { type AddressPolicy, addressPolicy } from "@tiphys/base/net";
import { WORKFLOWS } from "@tiphys/kube";
import { gitServer } from "../../lib/stores/git/testing/git_server.ts";
import { endedWorkflow } from "../testing/archive_bench.ts";
import { NAMESPACE, serverBench } from "../testing/server_bench.ts";
import { TreeFetcher } from "./fetched_tree.ts";

/**
 * Requests an artifact that the status of a workflow names from a server with this reach. Resolves to status and text.
 */
async function requestArtifact(reach: AddressPolicy, location: object, method: "GET" | "DELETE" = "GET") {
  const env = (name: string) => name === "PATH" ? Deno.env.get("PATH") : undefined;
  await using bench = await serverBench(["server"], { trees: new TreeFetcher(env), reach });
  const { metadata: { uid: _, ...metadata }, ...workflow } = endedWorkflow("w", 1);
  const artifacts = [{ name: "a", ...location } as Artifact];
  const nodes = { w: { ...workflow.status!.nodes!.w!, inputs: { artifacts }, outputs: { artifacts } } };
  await bench.admin.create(
    WORKFLOWS,
    NAMESPACE,
    { ...workflow, metadata, status: { ...workflow.status, nodes } } as Workflow,
  );
  const response = await bench.ask(method, `/artifacts/${NAMESPACE}/w/w/a`, {});
  return [response.status, await response.text()] as const;
}

/** A server on loopback that records its requests, and a host name that resolves to it. */
function startVictimServer(answer: (url: URL) => Response = () => new Response("secret of this machine")) {
  const requests: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    requests.push(new URL(request.url).pathname);
    return answer(new URL(request.url));
  });
  return { requests, port: server.addr.port, [Symbol.asyncDispose]: () => server.shutdown() };
}

const lookup = () => Promise.resolve(["127.0.0.1"]);
const STRICT = addressPolicy({ lookup });
const PLACES: Readonly<Record<string, (host: string) => object>> = {
  http: (host) => ({ http: { url: `http://${host}/x`, headers: [{ name: "Metadata-Flavor", value: "Google" }] } }),
  hdfs: (host) => ({ hdfs: { addresses: [host], path: "/x", hdfsUser: "u" } }),
  "hdfs over HTTP": (host) => ({ hdfs: { addresses: [`http://${host}`], path: "/x", hdfsUser: "u" } }),
  git: (host) => ({ git: { repo: `http://${host}/r.git` } }),
  "git over its own protocol": (host) => ({ git: { repo: `git://${host}/r.git` } }),
  "git over ssh": (host) => ({ git: { repo: `ssh://git@${host}/r.git`, insecureIgnoreHostKey: true } }),
};

for (const [name, place] of Object.entries(PLACES)) {
  Deno.test(`reach: an artifact over ${name} cannot connect to this machine, by address or by name`, async () => {
    await using there = startVictimServer();
    for (const host of ["127.0.0.1", "metadata.example"]) {
      assertEquals((await requestArtifact(STRICT, place(`${host}:${there.port}`)))[0], 500);
    }
    assertEquals(there.requests, []);
  });
}

Deno.test("reach: an artifact of another machine that redirects to this one is not followed", async () => {
  await using there = startVictimServer();
  await using first = startVictimServer(() => Response.redirect(`http://127.0.0.1:${there.port}/latest/meta-data`));
  const reach = addressPolicy({ lookup, allowed: `127.0.0.1:${first.port}` });
  assertEquals((await requestArtifact(reach, { http: { url: `http://a.example:${first.port}/x` } }))[0], 500);
  assertEquals([first.requests.length > 0, there.requests], [true, []]);
});

Deno.test("reach: an address that the operator allows is read", async () => {
  await using there = startVictimServer();
  const reach = addressPolicy({ lookup, allowed: `127.0.0.1:${there.port}` });
  const answer = await requestArtifact(reach, { http: { url: `http://a.example:${there.port}/x` } });
  assertEquals(answer, [200, "secret of this machine"]);
});

Deno.test("reach: git connects to the address that was checked, whatever the name resolves to later", async () => {
  await using git = await gitServer();
  await git.repository("r.git", [{ a: "text" }]);
  const { port } = new URL(git.url);
  const reach = addressPolicy({ lookup, allowed: `127.0.0.1:${port}` });
  // The name does not resolve on this machine: git gets the address from the reach.
  assertEquals((await requestArtifact(reach, { git: { repo: `http://nowhere.invalid:${port}/r.git` } }))[0], 307);
});

const IDENTITY: Readonly<Record<string, object>> = {
  gcs: { gcs: { bucket: "b", key: "k" } },
  azure: { azure: { endpoint: "http://evil.example", container: "c", blob: "k", useSDKCreds: true } },
  oss: { oss: { endpoint: "evil.example", bucket: "b", key: "k", useSDKCreds: true } },
  s3: { s3: { endpoint: "evil.example", bucket: "b", key: "k", useSDKCreds: true } },
};
for (const [store, location] of Object.entries(IDENTITY)) {
  Deno.test(`identity: the server never uses its own credentials for a ${store} artifact that a status names`, async () => {
    const resolved: string[] = [];
    const reach = addressPolicy({
      lookup: (name) => {
        resolved.push(name);
        return Promise.resolve(["127.0.0.1"]);
      },
    });
    for (const method of ["GET", "DELETE"] as const) {
      assertEquals((await requestArtifact(reach, location, method))[0], 500);
    }
    assertEquals(resolved, []);
  });
}
