/** A program's cloud identity is used only for places that its operator chose. */
import { type DriverEnvironment, StoreError } from "@tiphys/model/artifact";

/**
 * @throws {StoreError} `forbidden` when a place without credentials would be accessed with the identity of this
 * program.
 */
export function assertMayUseIdentity(
  { mayUseIdentity }: Pick<DriverEnvironment, "mayUseIdentity">,
  store: string,
): void {
  if (mayUseIdentity) return;
  throw new StoreError(
    `There are no credentials for ${store}: the location refers to no Secret, and the cloud identity of this program ` +
      "is never used for a location that a workflow names",
    "forbidden",
  );
}
