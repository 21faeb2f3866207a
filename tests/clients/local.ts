/** Starts `tiphys local` with a server, and with images for the workflows that clients run. */
import { ALLOW_ALL } from "@tiphys/base/net";
import { connectSharedServer, kubeconfigAuthorization } from "@tiphys/kube/connections";
import { silentLog } from "@tiphys/base/log";
import { ImageStore } from "../../local/image/image_store.ts";
import { imageStoreOptions } from "../../local/image/machine_settings.ts";
import { removeTree } from "../../local/image/remove_tree.ts";
import { listen } from "../../server/listen/listen.ts";
import { startServer } from "../../server/start.ts";
import { startTiphysLocal } from "../embedded/tiphys_local.ts";
import { loadLayout } from "../images/mod.ts";
import { pythonImage } from "./python_image.ts";

/** Names of images with Python in Hera, its examples and the tests. */
const NAMES = ["python:3.10", "python:3.12", "my-image:v1", "my-image-with-deps", "busybox"];

/** A running embedded cluster with a server. */
export interface LocalServer extends AsyncDisposable {
  readonly kubeconfig: string;
  /** Without a slash at the end. */
  readonly address: string;
  /** The token of the cluster's administrator. */
  readonly token: string;
}

/** Starts the cluster with images of a Python, and a server that authenticates clients by tokens of the cluster. */
export async function serveLocal(python: string): Promise<LocalServer> {
  await using opened = new AsyncDisposableStack();
  const cache = await Deno.makeTempDir({ dir: "/var/tmp", prefix: "clients-" });
  opened.defer(() => removeTree(cache));
  const store = new ImageStore(await imageStoreOptions(`${cache}/tiphys`));
  await loadLayout(store, { folder: await pythonImage(python), names: NAMES });
  const { kubeconfig } = opened.use(
    await startTiphysLocal({ cache, flags: ["--runtime", "sandbox", "--no-ui"] }),
  );
  const { transport: own, anonymous } = await connectSharedServer({ kubeconfig });
  const stop = new AbortController();
  opened.defer(() => stop.abort());
  const modes = new Set(["client"] as const);
  const handler = await startServer({ own, anonymous, modes, log: silentLog, reach: ALLOW_ALL }, stop.signal);
  const listening = await listen({ hostname: "127.0.0.1", port: 0, tls: undefined, handler });
  opened.defer(() => listening.close(0));
  const token = await kubeconfigAuthorization({ kubeconfig }) ?? "";
  const all = opened.move();
  return {
    kubeconfig,
    address: `http://127.0.0.1:${listening.port}`,
    token,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}
