/** Writes objects into a store in the folder of the first argument until one is refused; prints how. */

import { CONFIGMAPS, KubeError } from "@tiphys/kube";
import { createApiServer } from "../mod.ts";

const client = createApiServer({ storePath: `${Deno.args[0]}/store.db` }).client();
try {
  for (let number = 1;; number++) {
    await client.create(CONFIGMAPS, "n", { metadata: { name: `c${number}` }, data: { text: "x".repeat(100_000) } });
  }
} catch (error) {
  if (!(error instanceof KubeError)) throw error;
  console.log(error.status, error.message);
}
