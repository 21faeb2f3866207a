/** Texts of the lists of event bindings, event sources and sensors. */

export const notInstalled = "Argo Events is not installed here";
export const noBindingsYet = "No bindings yet";
export const noSourcesYet = "No event sources yet";
export const noSensorsYet = "No sensors yet";
export const aboutSources = "An event source of Argo Events receives events from outside the cluster.";
export const aboutSensors = "A sensor of Argo Events acts when its events have arrived.";
/** The events that trigger a binding or a sensor. */
export const waitsForField = "Waits for";
export const eventsField = "Events";
/** The actions of a binding or a sensor. */
export const actionsField = "Actions";
export const createdField = "Created";
export const itsRunsLink = "Show runs";
export const newSourceButton = "New event source";
export const newSensorButton = "New sensor";
export const manifestLabel = "Manifest";
export const logOf = "Log of";
export const allParts = "All parts";
