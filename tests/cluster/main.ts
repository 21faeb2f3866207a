/** `deno task cluster build|up|down|status`: controls the cluster manually. */
import { clusterAddresses, clusterPrograms, clusterSettings, isClusterUp, startCluster, stopCluster } from "./mod.ts";

const USAGE = `Usage: deno task cluster COMMAND
  build   build the cluster's programs
  up      bring it up and print how to reach it
  down    end it and remove its files
  status  say whether it runs
Set TIPHYS_CLUSTER_NAME to have several, TIPHYS_CLUSTER_DIR, _CACHE and _LINK to place one by hand.`;

const settings = clusterSettings();
const addresses = clusterAddresses(settings);

switch (Deno.args[0]) {
  case "build":
    console.log(await clusterPrograms(settings));
    break;
  case "up":
    await startCluster(settings);
    console.log(
      `export KUBECONFIG=${addresses.kubeconfig}\n# images: skopeo copy --dest-tls-verify=false … docker://${addresses.registry}/NAME:TAG`,
    );
    break;
  case "down":
    await stopCluster(settings);
    break;
  case "status":
    console.log(isClusterUp(settings) ? `up: ${addresses.kubeconfig}` : "down");
    break;
  default:
    console.error(USAGE);
    Deno.exit(2);
}
