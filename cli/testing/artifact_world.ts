/** A world whose embedded store has objects, and a workflow with output artifacts of their keys. */
import type { NodeStatus, Workflow } from "@tiphys/model/api";
import { driverFor } from "@tiphys/stores";
import type { Driver } from "@tiphys/model/artifact";
import { driverEnvironment, sourceOf } from "../../lib/artifacts/testing/surroundings.ts";
import { EMBEDDED_STORE } from "@tiphys/base/constants";
import { type KubeObject, SECRETS, WORKFLOWS } from "@tiphys/kube";
import { openNet } from "@tiphys/base/net";
import { serveArtifacts } from "../../local/mod.ts";
import { FakeWorld } from "./fake_world.ts";

const SECRET = EMBEDDED_STORE.secret;

/** A world with artifacts, and folders for copies. */
export interface ArtifactWorld {
  readonly world: FakeWorld;
  /** A folder for copies, the only entry of `top`. */
  readonly out: string;
  readonly top: string;
  /** Returns the current contents of the store, by key. */
  stored(): Promise<Record<string, string>>;
}

/**
 * Creates a world with objects in the embedded store, and a workflow `w` whose nodes have output artifacts of these
 * keys.
 */
export async function withArtifacts(
  objects: Readonly<Record<string, string>>,
  nodes: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
  use: (bench: ArtifactWorld) => Promise<void>,
  env: Readonly<Record<string, string>> = {},
): Promise<void> {
  const top = await Deno.makeTempDir();
  using world = new FakeWorld({ env });
  await using artifacts = await serveArtifacts(world.api, { dataDir: `${top}/data` });
  const { data } = await world.client.get<KubeObject & { data: Record<string, string> }>(
    SECRETS,
    "default",
    SECRET.name,
  );
  const secrets = Object.fromEntries(
    Object.entries(data).map(([key, value]) => [`${SECRET.name}/${key}`, atob(value)]),
  );
  using net = Object.assign(openNet(), {
    [Symbol.dispose]() {
      net.close();
    },
  });
  const place = { store: "s3", key: "", settings: { ...artifacts.repository.s3 } };
  const driver = await driverFor(place, driverEnvironment({ secrets, net })) as Driver;
  const stop = new AbortController().signal;
  for (const [key, text] of Object.entries(objects)) await driver.write({ ...place, key }, sourceOf(text), stop);
  await world.client.create<Workflow>(WORKFLOWS, "default", {
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    metadata: { name: "w" },
    spec: { entrypoint: "main", templates: [{ name: "main", suspend: {} }] },
    status: {
      phase: "Succeeded",
      artifactRepositoryRef: { default: true, artifactRepository: artifacts.repository },
      nodes: Object.fromEntries(Object.entries(nodes).map(([id, outputs]) => [id, nodeOf(id, outputs)])),
    },
  });
  Deno.mkdirSync(`${top}/place`);
  world.artifactRepository = artifacts.repository;
  const stored = async () => {
    const found: Record<string, string> = {};
    for await (const { name } of driver.list({ ...place, key: "" }, stop)) {
      found[name] = await new Response(await driver.read({ ...place, key: name }, {}, stop)).text();
    }
    return found;
  };
  await use({ world, out: `${top}/place/out`, top: `${top}/place`, stored });
  await Deno.remove(top, { recursive: true });
}

function nodeOf(id: string, artifacts: Readonly<Record<string, unknown>>): NodeStatus {
  const outputs = Object.entries(artifacts).map(([name, location]) => ({ name, ...location as object }));
  return {
    id,
    name: id,
    displayName: id,
    type: "Pod",
    phase: "Succeeded",
    templateName: `of-${id}`,
    outputs: { artifacts: outputs },
  };
}

/** Returns the location of a key in the repository. */
export const at = (key: string) => ({ s3: { key } });
