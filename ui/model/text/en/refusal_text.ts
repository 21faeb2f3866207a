/** Words of each kind of refusal: what it means, and what a person can do. */

export const offlineTitle = "The server does not answer";
export const offlineAdvice =
  "What is shown is from before. It is asked again by itself; see whether the server still runs.";
export const tabLoginTitle = "This tab is not logged in";
export const tabLoginAdvice = "A link counts once, for a minute. Run  tiphys ui  in a terminal: it prints a new one.";
export const loginTitle = "You are not logged in";
export const loginAdvice = "Log in; you come back to this page.";
export const forbiddenTitle = "You may not do this";
export const forbiddenAdvice =
  "Somebody who administers the cluster can grant the verb on the resource that is named above.";
export const absentTitle = "This is not here";
export const absentAdvice = "It was deleted, or never was. A run that was deleted may still be in the archive.";
export const conflictTitle = "Somebody changed it meanwhile";
export const conflictAdvice = "Load it again, and go on with what is there now.";
export const invalidTitle = "The server refused this";
export const invalidAdvice = "Mend what it names, and send it again.";
export const busyTitle = "Too many requests";
export const busyAdvice = "Wait a moment; then ask again.";
export const unknownRouteTitle = "This server cannot do this";
export const unknownRouteAdvice = "It is of another version, or another make. The command line may be able to.";
export const serverTitle = "The server made a mistake";
export const serverAdvice = "Its log says more. Asking again may help.";
export const partTitle = "A part of this page could not be loaded";
export const partAdvice = "Reloading leads back to this place.";
