/**
 * The embedded cluster with its controller, as a separate process: DATA is its folder, CONFIGMAP the controller's
 * settings, KUBECONFIG the file to write for clients. Prints `ready` when it serves, and ends with its standard input.
 */
import { lineLog, parseControllerConfig, readEnvironment, startController } from "../../controller/mod.ts";
import type { ConfigMap } from "@tiphys/model/api";
import { parseYaml } from "@tiphys/model/yaml";
import { startEmbeddedCluster } from "../../local/mod.ts";

const [data = "", configMapFile = "", kubeconfig = ""] = Deno.args;
const cluster = await startEmbeddedCluster({
  dataDir: data,
  cacheDir: `${data}/cache`,
  tls: true,
  // The host runtime uses the files of this machine instead of the image, so it would not test images.
  runtime: "sandbox",
  standIn: "any",
  onNotice: (text) => console.error(text),
  onError: (what, error) => console.error(`Could not ${what}:`, error),
});

const [document] = parseYaml(await Deno.readTextFile(configMapFile));
const configMap = document?.value as unknown as ConfigMap;
const { engine } = parseControllerConfig(configMap, {
  executorImage: cluster.executorImage,
  environment: readEnvironment((name) => Deno.env.get(name)),
});
const controller = await startController({
  client: cluster.client,
  config: () => engine,
  log: lineLog({ level: "info", format: "text", write: (line) => console.error(line) }),
});

const name = "embedded";
await Deno.writeTextFile(
  kubeconfig,
  JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{
      name,
      cluster: {
        server: cluster.url,
        ...(cluster.caCert && { "certificate-authority-data": btoa(cluster.caCert) }),
      },
    }],
    users: [{ name, user: { token: cluster.token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    "current-context": name,
  }),
  { mode: 0o600 },
);
console.log("ready");
while (await Deno.stdin.read(new Uint8Array(64)) !== null);
await controller.close();
await cluster.close();
Deno.exit(0);
