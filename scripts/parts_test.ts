import { assert } from "@std/assert";
import { partsOf } from "./parts.ts";
import { SHARES_OF_CI } from "./share.ts";

/** The minutes of a CI run: 40 without the setup of a fresh machine and the start of the cluster. */
const MINUTES = 40 - 5;

Deno.test("parts: the budgets of a share of CI fit into the time of a run", () => {
  const { first, onCluster } = partsOf({ number: 1, of: SHARES_OF_CI });
  const sum = [...first, ...onCluster].reduce((sum, { minutes }) => sum + minutes, 0);
  assert(sum <= MINUTES, `${sum} minutes`);
});
