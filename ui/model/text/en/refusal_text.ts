/** Texts of each kind of refusal: its meaning, and advice. */

export const offlineTitle = "The server does not respond";
export const offlineAdvice =
  "The page shows the last known state and retries automatically. Check that the server is running.";
export const tabLoginTitle = "This tab is not logged in";
export const tabLoginAdvice =
  "Open the link that  tiphys local  printed, or run  tiphys ui  in a terminal to get it again.";
export const loginTitle = "You are not logged in";
export const loginAdvice = "Log in to return to this page.";
export const forbiddenTitle = "You may not do this";
export const forbiddenAdvice =
  "Ask an administrator of the cluster to grant you the verb on the resource that is named above.";
export const absentTitle = "Not found";
export const absentAdvice = "It was deleted, or never existed. A deleted run may still be in the archive.";
export const conflictTitle = "It was changed in the meantime";
export const conflictAdvice = "Reload the page, and repeat your change.";
export const invalidTitle = "The server refused this";
export const invalidAdvice = "Fix the reported problem, and try again.";
export const busyTitle = "Too many requests";
export const busyAdvice = "Wait a moment, then try again.";
export const unknownRouteTitle = "This server cannot do this";
export const unknownRouteAdvice = "It has another version, or is not a Tiphys server. Try the command line.";
export const serverTitle = "Internal server error";
export const serverAdvice = "See the log of the server. Trying again may help.";
export const partTitle = "A part of this page could not be loaded";
export const partAdvice = "Reload the page to return here.";
