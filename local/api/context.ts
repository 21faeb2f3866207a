/** The context that every part of the API works with. */

import type { ServedResources } from "./served_resource.ts";
import type { Store } from "./store.ts";

/** The state of the server, and the world it may ask. */
export interface ApiContext {
  readonly store: Store;
  readonly resources: ServedResources;
  readonly now: () => Date;
}
