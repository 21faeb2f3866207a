/** The texts of each kind of refusal: its meaning, and advice. */
import type { RefusalKind } from "../api/refusal.ts";
import * as words from "./text/en/shared.ts";

/** The text that is shown together with the server's message. */
export interface RefusalText {
  readonly title: string;
  readonly advice: string;
  /** The action that the page offers. */
  readonly action?: "again" | "login" | "reload" | undefined;
}

/** Returns the text of a refusal. `login` is how users log in to the server. */
export function refusalText(kind: RefusalKind, { login }: { readonly login: "ticket" | "token" }): RefusalText {
  switch (kind) {
    case "offline":
      return {
        title: words.offlineTitle,
        advice: words.offlineAdvice,
        action: "again",
      };
    case "login":
      return login === "ticket"
        ? {
          title: words.tabLoginTitle,
          advice: words.tabLoginAdvice,
          action: "again",
        }
        : { title: words.loginTitle, advice: words.loginAdvice, action: "login" };
    case "forbidden":
      return {
        title: words.forbiddenTitle,
        advice: words.forbiddenAdvice,
      };
    case "absent":
      return {
        title: words.absentTitle,
        advice: words.absentAdvice,
      };
    case "conflict":
      return {
        title: words.conflictTitle,
        advice: words.conflictAdvice,
        action: "again",
      };
    case "invalid":
      return { title: words.invalidTitle, advice: words.invalidAdvice };
    case "busy":
      return { title: words.busyTitle, advice: words.busyAdvice, action: "again" };
    case "unknown-route":
      return {
        title: words.unknownRouteTitle,
        advice: words.unknownRouteAdvice,
      };
    case "server":
      return {
        title: words.serverTitle,
        advice: words.serverAdvice,
        action: "again",
      };
    case "part":
      return {
        title: words.partTitle,
        advice: words.partAdvice,
        action: "reload",
      };
  }
}
