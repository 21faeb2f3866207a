/** The session of this tab: how users log in to the server, and the token of its requests. */
import { textIn } from "@tiphys/base/fields_of";
import { fieldsOfJson } from "@tiphys/base/fields_of_json";
import { Refusal } from "./refusal.ts";

/** The kind of login: with a link from a terminal of this machine, or with cluster credentials. */
export type Login = "ticket" | "token";

/** The session of this tab. */
export interface Session {
  readonly login: Login;
  /** The authentication modes of the server: `client`, `sso`. */
  readonly modes: readonly string[];
  authorization(): string | undefined;
  /** Returns the cookies of this page that scripts can read. */
  cookies(): string;
  /** Stores cluster credentials that a user typed; an empty text deletes them. */
  useToken(token: string): void;
}

/** The kinds of login that a server offers. */
export type LoginOptions = Pick<Session, "login" | "modes">;

const KEY = "tiphys.session";
const CHANNEL = "tiphys.session";
const TICKET_FRAGMENT = /^#ticket=([\w-]{16,200})$/;
/** The maximum time to wait for another tab; tabs respond immediately. */
const OTHER_TAB_MILLIS = 250;

/**
 * Opens the session. A ticket in the fragment is removed from the address first, then exchanged for a token; without a
 * ticket, another tab of the same origin shares its token.
 * @throws {Refusal} if the ticket is from another server
 */
export async function openSession({ login, modes }: LoginOptions, base: string): Promise<Session> {
  if (login === "token") return cookieSession(modes, base);
  const [, ticket] = TICKET_FRAGMENT.exec(location.hash) ?? [];
  if (location.hash.startsWith("#ticket=")) {
    history.replaceState(history.state, "", location.pathname + location.search);
  }
  let token = ticket === undefined
    ? sessionStorage.getItem(KEY) ?? await tokenOfOtherTab()
    : await redeemTicket(ticket, base);
  if (token !== undefined) sessionStorage.setItem(KEY, token);
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener("message", ({ data }) => {
    if (data === "ask" && token !== undefined) channel.postMessage({ token });
    // Another tab used a new link, for example after a restart of the server: its token is now the valid one.
    if (typeof data?.renewed === "string") sessionStorage.setItem(KEY, token = data.renewed);
  });
  if (ticket !== undefined) channel.postMessage({ renewed: token });
  return {
    login,
    modes,
    cookies: () => "",
    authorization: () => token === undefined ? undefined : `Bearer ${token}`,
    useToken(entered) {
      token = entered === "" ? undefined : entered;
    },
  };
}

async function redeemTicket(ticket: string, base: string): Promise<string> {
  const tried = "log in with the link of the terminal";
  const response = await fetch(`${base}api/tiphys/v1/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ticket }),
    credentials: "omit",
  }).catch((error) => {
    throw new Refusal(tried, 0, "the server does not respond", { cause: error });
  });
  const answer = fieldsOfJson(await response.text());
  const token = textIn(answer, "token");
  if (response.ok && token !== undefined) return token;
  throw new Refusal(tried, response.status, textIn(answer, "message") ?? "");
}

function tokenOfOtherTab(): Promise<string | undefined> {
  return new Promise((resolve) => {
    const channel = new BroadcastChannel(CHANNEL);
    const end = (token: string | undefined) => {
      clearTimeout(timer);
      channel.close();
      resolve(token);
    };
    const timer = setTimeout(() => end(undefined), OTHER_TAB_MILLIS);
    channel.addEventListener("message", ({ data }) => {
      if (typeof data === "object" && data !== null && typeof data.token === "string") end(data.token);
    });
    channel.postMessage("ask");
  });
}

/** Credentials in a cookie, as with Argo's page and server. */
function cookieSession(modes: readonly string[], base: string): Session {
  const attributes = `; Path=${new URL(base).pathname}; SameSite=Strict${
    location.protocol === "https:" ? "; Secure" : ""
  }`;
  return {
    login: "token",
    modes,
    cookies: () => document.cookie,
    authorization: () => undefined,
    useToken(entered) {
      const token = entered.trim();
      const credential = token === "" || /^(Bearer|Basic) /.test(token) ? token : `Bearer ${token}`;
      document.cookie = credential === ""
        ? `authorization=; Max-Age=0${attributes}`
        : `authorization=${cookieValue(credential)}${attributes}`;
    },
  };
}

/** Encodes credentials as a cookie value if necessary; Argo's server does not decode values. */
function cookieValue(credential: string): string {
  return /^[\w .~+/=:-]+$/.test(credential) ? credential : encodeURIComponent(credential);
}
