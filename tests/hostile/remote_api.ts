/** An API server in another thread, over HTTP as in a cluster. */
import { httpTransport, KubeClient } from "@tiphys/kube";
import type { WorldApi } from "../controller/world.ts";

/** Starts an API server, which `close` stops. */
export async function startRemoteApi(): Promise<WorldApi> {
  const worker = new Worker(new URL("./api_thread.ts", import.meta.url), { type: "module" });
  const { url, token } = await new Promise<{ url: string; token: string }>((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(`The API server did not start: ${message}`));
  });
  const clients: KubeClient[] = [];
  return {
    client() {
      const client = new KubeClient(
        httpTransport({
          server: url,
          credentials: () => Promise.resolve({ headers: { authorization: `Bearer ${token}` } }),
        }),
      );
      clients.push(client);
      return client;
    },
    useKubelet: () => {},
    close() {
      for (const client of clients) client.close();
      worker.terminate();
    },
  };
}
