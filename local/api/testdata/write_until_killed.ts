/**
 * Writes objects into the store named by the first argument, one after the other, and prints each when it is
 * acknowledged.
 */

import { CONFIGMAPS } from "@tiphys/kube";
import { createApiServer } from "../mod.ts";

const client = createApiServer({ storePath: Deno.args[0] ?? "" }).client();
for (let number = 1;; number++) {
  await client.create(CONFIGMAPS, "n", { metadata: { name: `c${number}` } });
  await Deno.stdout.write(new TextEncoder().encode(`c${number}\n`));
}
