/** The rule about the identity that a program has in its cloud: it is for places that the program's operator chose. */
import { StoreError, type Surroundings } from "./driver.ts";

/** @throws {StoreError} `forbidden` where a place without credentials would be shown the identity of this program. */
export function assertMayUseIdentity({ mayUseIdentity }: Pick<Surroundings, "mayUseIdentity">, store: string): void {
  if (mayUseIdentity) return;
  throw new StoreError(
    `There are no credentials for ${store}: the location names none in Secrets, and the cloud identity of this program ` +
      "is never used for a location that a workflow names",
    "forbidden",
  );
}
