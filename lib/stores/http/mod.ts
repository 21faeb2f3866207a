/**
 * Artifacts at a URL: read by GET, saved by PUT. Redirects are followed, but secrets of one server are never sent to
 * another.
 */
import type { Driver, MakeDriver } from "@tiphys/model/artifact";
import { credentialsOf, type HttpSettings } from "./credentials.ts";
import { webDriver } from "./web_driver.ts";

/** Creates the driver of a URL. */
export const makeDriver: MakeDriver = (location, environment): Driver => {
  const settings = location.settings as HttpSettings;
  return webDriver({ store: "http", environment, credentials: credentialsOf(settings, environment) });
};
