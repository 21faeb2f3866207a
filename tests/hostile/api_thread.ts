/** The API server of the hostile table, in a separate thread, so that its time is not counted as the controller's. */
import { createApiServer } from "../../local/api/mod.ts";

const thread = globalThis as unknown as {
  onmessage: () => void;
  postMessage(message: { readonly url: string; readonly token: string }): void;
};
const api = createApiServer({ storePath: ":memory:" });
api.useKubelet({
  logs: () => ReadableStream.from([]),
  exec: () => Promise.resolve({ stdout: "", stderr: "", exitCode: 0 }),
});
const { url, token } = await api.serve();
thread.postMessage({ url, token });
