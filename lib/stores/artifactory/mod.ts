/** Artifacts in Artifactory and compatible servers: files at URLs, with a name, a password, and checksums. */
import { type Driver, type MakeDriver, type SecretField, secretOf, StoreError } from "@tiphys/model/artifact";
import { basic, type Credentials } from "../http/credentials.ts";
import { webDriver } from "../http/web_driver.ts";

interface ArtifactorySettings {
  readonly usernameSecret?: SecretField;
  readonly passwordSecret?: SecretField;
}

/** Creates the driver of a place in Artifactory. */
export const makeDriver: MakeDriver = (location, environment): Driver => {
  const { usernameSecret, passwordSecret } = location.settings as ArtifactorySettings;
  if (!usernameSecret !== !passwordSecret) {
    throw new StoreError("artifactory: usernameSecret and passwordSecret are needed together", "final");
  }
  const credentials = async (): Promise<Credentials> => {
    const authorization = basic(
      await secretOf(environment, usernameSecret),
      await secretOf(environment, passwordSecret),
    );
    return { headers: { ...authorization ? { authorization } : {} } };
  };
  return webDriver({ store: "artifactory", environment, credentials, canRemove: true, sendsDigest: true });
};
