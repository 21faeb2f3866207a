/** The words for each refusal: what it means, and what a person can do. */
import type { RefusalKind } from "../api/refusal.ts";

/** The text that is shown with a refusal, beside the server's own words. */
export interface RefusalText {
  readonly title: string;
  readonly advice: string;
  /** The action that the page offers. */
  readonly action?: "again" | "login" | "reload" | undefined;
}

/** The table of texts. `login` differs by how the server lets people in. */
export function refusalText(kind: RefusalKind, { login }: { readonly login: "ticket" | "token" }): RefusalText {
  switch (kind) {
    case "offline":
      return {
        title: "The server does not answer",
        advice: "What is shown is from before. It is asked again by itself; see whether the server still runs.",
        action: "again",
      };
    case "login":
      return login === "ticket"
        ? {
          title: "This tab is not logged in",
          advice: "A link counts once, for a minute. Run  tiphys ui  in a terminal: it prints a new one.",
        }
        : { title: "You are not logged in", advice: "Log in; you come back to this page.", action: "login" };
    case "forbidden":
      return {
        title: "You may not do this",
        advice: "Somebody who administers the cluster can grant the verb on the resource that is named above.",
      };
    case "absent":
      return {
        title: "This is not here",
        advice: "It was deleted, or never was. A run that was deleted may still be in the archive.",
      };
    case "conflict":
      return {
        title: "Somebody changed it meanwhile",
        advice: "Load it again, and make your change on what is there now.",
        action: "again",
      };
    case "invalid":
      return { title: "The server refused this", advice: "Mend what it names, and send it again." };
    case "busy":
      return { title: "Too many requests", advice: "Wait a moment; then ask again.", action: "again" };
    case "unknown-route":
      return {
        title: "This server cannot do this",
        advice: "It is of another version, or another make. The command line may be able to.",
      };
    case "server":
      return {
        title: "The server made a mistake",
        advice: "Its log says more. Asking again may help.",
        action: "again",
      };
    case "part":
      return {
        title: "A part of this page could not be loaded",
        advice: "Reloading leads back to this place.",
        action: "reload",
      };
  }
}
