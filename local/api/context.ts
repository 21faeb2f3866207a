/** The state that all parts of the API share. */

import type { ServedResources } from "./served_resource.ts";
import type { Store } from "./store.ts";

/** The state of the server, and its clock. */
export interface ApiContext {
  readonly store: Store;
  readonly resources: ServedResources;
  readonly now: () => Date;
}
