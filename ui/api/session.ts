/** The session of this tab: how the server lets people in, and the token with which it is asked. */
import { textIn } from "@tiphys/base/fields_of";
import { fieldsOfJson } from "@tiphys/base/fields_of_json";
import { Refusal } from "./refusal.ts";

/** The way people log in: by a link of a terminal on this machine, or with credentials of the cluster. */
export type Login = "ticket" | "token";

/** The session of this tab. */
export interface Session {
  readonly login: Login;
  /** The modes in which the server lets people in with credentials: `client`, `sso`. */
  readonly modes: readonly string[];
  authorization(): string | undefined;
  /** The cookies of this page that scripts may read. */
  cookies(): string;
  /** Takes credentials of the cluster that a person typed; an empty text forgets them. */
  useToken(token: string): void;
}

/** The ways in that a server has. */
export type Entrances = Pick<Session, "login" | "modes">;

const KEY = "tiphys.session";
const CHANNEL = "tiphys.session";
const TICKET = /^#ticket=([\w-]{16,200})$/;
/** The time to wait for another tab, which answers at once where there is one. */
const OTHER_TAB_MILLIS = 250;

/**
 * Opens the session. A ticket in the fragment is taken out of the address before anything else, and given to the server for
 * a token; without one, another tab of the same origin is asked for its token.
 * @throws {Refusal} for a ticket that is used up.
 */
export async function openSession({ login, modes }: Entrances, base: string): Promise<Session> {
  if (login === "token") return cookieSession(modes, base);
  const [, ticket] = TICKET.exec(location.hash) ?? [];
  if (location.hash.startsWith("#ticket=")) {
    history.replaceState(history.state, "", location.pathname + location.search);
  }
  let token = ticket === undefined
    ? sessionStorage.getItem(KEY) ?? await tokenOfOtherTab()
    : await redeem(ticket, base);
  if (token !== undefined) sessionStorage.setItem(KEY, token);
  const channel = new BroadcastChannel(CHANNEL);
  channel.addEventListener("message", ({ data }) => {
    if (data === "ask" && token !== undefined) channel.postMessage({ token });
    // Another tab came by a new link, as after a restart of the server: its token is the one that is good now.
    if (typeof data?.renewed === "string") sessionStorage.setItem(KEY, token = data.renewed);
  });
  if (ticket !== undefined) channel.postMessage({ renewed: token });
  return {
    login,
    modes,
    cookies: () => "",
    authorization: () => token === undefined ? undefined : `Bearer ${token}`,
    useToken(given) {
      token = given === "" ? undefined : given;
    },
  };
}

async function redeem(ticket: string, base: string): Promise<string> {
  const tried = "log in with the link of the terminal";
  const response = await fetch(`${base}api/tiphys/v1/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ ticket }),
    credentials: "omit",
  }).catch((error) => {
    throw new Refusal(tried, 0, "the server does not answer", { cause: error });
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

/** Credentials in a cookie, where Argo's page and its server have them. */
function cookieSession(modes: readonly string[], base: string): Session {
  const attributes = `; Path=${new URL(base).pathname}; SameSite=Strict${
    location.protocol === "https:" ? "; Secure" : ""
  }`;
  return {
    login: "token",
    modes,
    cookies: () => document.cookie,
    authorization: () => undefined,
    useToken(given) {
      const token = given.trim();
      const credential = token === "" || /^(Bearer|Basic) /.test(token) ? token : `Bearer ${token}`;
      document.cookie = credential === ""
        ? `authorization=; Max-Age=0${attributes}`
        : `authorization=${cookieValue(credential)}${attributes}`;
    },
  };
}

/** A credential as the value of a cookie: as it is where it may stand so, for Argo's server decodes nothing. */
function cookieValue(credential: string): string {
  return /^[\w .~+/=:-]+$/.test(credential) ? credential : encodeURIComponent(credential);
}
