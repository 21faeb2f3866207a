/** A server whose users log in with a real provider on this machine, for tests. */
import { Buffer } from "node:buffer";
import { exportJWK, generateKeyPair } from "jose";
import { OAuth2Server } from "oauth2-mock-server";
import { SECRETS, SERVICE_ACCOUNTS } from "@tiphys/kube";
import type { Log } from "@tiphys/base/log";
import type { AuthModeName } from "../../gate/modes.ts";
import { type BenchOptions, NAMESPACE, type ServerBench, serverBench } from "../../testing/server_bench.ts";
import { ssoMode } from "../mode.ts";
import { sessionKeyOf } from "../session_key.ts";
import { startSso } from "../start.ts";

/** The namespace of the server, its Secrets and its accounts. */
export const HOME = "argo";
export const CLIENT_ID = "tiphys";
/** A secret that must not appear in any log or response. */
export const CLIENT_SECRET = "canary-client-secret";

/** A key created by Argo's server, and a session that Argo's libraries encrypted with it. */
export const ARGO_SESSION: { readonly cookieEncryptionPrivateKey: string; readonly token: string } = JSON.parse(
  await Deno.readTextFile(new URL("../testdata/argo_session.json", import.meta.url)),
);

/** A log whose lines a test can read. */
export interface RecordedLog extends Log {
  readonly lines: string[];
}

/** Returns a log that records its lines, including debug lines. */
export function recordedLog(): RecordedLog {
  const lines: string[] = [];
  const keep = (level: string) => (message: string, fields = {}) =>
    void lines.push(`${level} ${message} ${JSON.stringify(fields)}`);
  return { lines, debug: keep("debug"), info: keep("info"), warn: keep("warn"), error: keep("error") };
}

/** A provider on this machine. */
export interface ProviderBench extends AsyncDisposable {
  readonly server: OAuth2Server;
  readonly url: string;
}

/** The signing key of providers. It is created once, because that takes long. */
let signingKey: Promise<Record<string, unknown>> | undefined;

/** Creates a signing key for a provider. */
export async function makeSigningKey(): Promise<Record<string, unknown>> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  return { ...await exportJWK(privateKey), alg: "RS256", use: "sig", kid: "one" };
}

/** Starts a provider; with the files of a key and a certificate it uses TLS. */
export async function providerBench(key?: string, cert?: string): Promise<ProviderBench> {
  const server = new OAuth2Server(key, cert);
  signingKey ??= makeSigningKey();
  await server.issuer.keys.add({ ...await signingKey });
  await server.start(0, "127.0.0.1");
  const url = `${key ? "https" : "http"}://127.0.0.1:${server.address().port}`;
  server.issuer.url = url;
  return { server, url, [Symbol.asyncDispose]: () => server.stop() };
}

/** Options of a bench. */
export interface LoginBenchOptions {
  readonly setting?: Readonly<Record<string, unknown>>;
  readonly modes?: readonly AuthModeName[];
  readonly delegates?: boolean;
  readonly baseHref?: string;
  readonly log?: Log;
}

/** Starts a server that uses a provider. */
export async function loginBench(provider: string, options: LoginBenchOptions = {}): Promise<ServerBench> {
  const { setting, modes = ["sso"], delegates = false, baseHref = "/", log = recordedLog() } = options;
  return await serverBench(modes, {
    log,
    sso: async ({ own, anonymous, admin, now }) => {
      await admin.create(SECRETS, HOME, {
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name: "client", namespace: HOME },
        data: { id: btoa(CLIENT_ID), secret: btoa(CLIENT_SECRET) },
      });
      await admin.create(SECRETS, HOME, {
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name: "sso", namespace: HOME },
        data: { cookieEncryptionPrivateKey: ARGO_SESSION.cookieEncryptionPrivateKey },
      });
      return await startSso({
        starting: admin,
        own,
        anonymous,
        setting: {
          issuer: provider,
          clientId: { name: "client", key: "id" },
          clientSecret: { name: "client", key: "secret" },
          ...setting,
        },
        namespace: HOME,
        accountNamespace: HOME,
        delegates,
        baseHref,
        env: () => undefined,
        log,
        now,
      });
    },
  });
}

/** A browser that has started to log in. */
export interface LoginStart {
  readonly location: URL;
  /** The cookie of the attempt. */
  readonly cookie: string;
  readonly setCookie: string;
}

/** Starts a server with sessions and rules but without a provider. Tests encrypt the sessions themselves. */
export async function ruledBench(options: RuledOptions = {}): Promise<ServerBench> {
  return await serverBench(options.modes ?? ["sso"], ruledOptions(options));
}

/** Options of servers with sessions and rules. */
export type RuledOptions = Omit<LoginBenchOptions, "setting" | "baseHref">;

/** The options of such a server, for any cluster. */
export function ruledOptions({ modes = ["sso"], delegates = false, log = recordedLog() }: RuledOptions): BenchOptions {
  const sessionKey = sessionKeyOf(ARGO_SESSION.cookieEncryptionPrivateKey, HOME);
  return {
    log,
    ...(modes.includes("sso") && {
      sso: ({ anonymous, admin, now }) =>
        Promise.resolve({
          mode: ssoMode({ sessionKey, own: admin, anonymous, hasRules: true, namespace: HOME, delegates, log, now }),
        }),
    }),
  };
}

/** Starts a login. */
export async function beginLogin(bench: ServerBench, redirect = "/workflows"): Promise<LoginStart> {
  const response = await bench.ask("GET", `/oauth2/redirect?redirect=${encodeURIComponent(redirect)}`);
  const setCookie = response.headers.get("set-cookie") ?? "";
  return { location: new URL(response.headers.get("location") ?? ""), cookie: setCookie.split(";")[0]!, setCookie };
}

/** Follows the provider's redirect back to the server: the path and query of the callback. */
export async function callbackPathOf(location: URL): Promise<string> {
  const response = await fetch(location, { redirect: "manual" });
  await response.body?.cancel();
  const back = new URL(response.headers.get("location") ?? "");
  return back.pathname + back.search;
}

/** Logs in as the provider's user. Returns the session as the page would send it. */
export async function logIn(bench: ServerBench): Promise<string> {
  const { location, cookie } = await beginLogin(bench);
  const response = await bench.ask("GET", await callbackPathOf(location), { headers: { cookie } });
  const found = response.headers.getSetCookie().find((cookie) => cookie.startsWith("authorization=")) ?? "";
  return /^authorization="([^"]*)"/.exec(found)?.[1] ?? `no session: ${response.status}`;
}

/** Logs in at a listening server. Returns the session as the page would send it. */
export async function logInAt(url: string): Promise<string> {
  const first = await fetch(`${url}/oauth2/redirect`, { redirect: "manual" });
  await first.body?.cancel();
  const callback = await callbackPathOf(new URL(first.headers.get("location") ?? ""));
  const cookie = (first.headers.get("set-cookie") ?? "").split(";")[0]!;
  const second = await fetch(url + callback, { redirect: "manual", headers: { cookie } });
  await second.body?.cancel();
  const found = second.headers.getSetCookie().find((cookie) => cookie.startsWith("authorization=")) ?? "";
  return /^authorization="([^"]*)"/.exec(found)?.[1] ?? `no session: ${second.status}`;
}

/** Creates a service account with a rule and, unless disabled, a Secret with its token. */
export async function ruledAccount(
  bench: Pick<ServerBench, "admin">,
  name: string,
  annotations: Readonly<Record<string, string>>,
  { namespace = HOME, token }: { readonly namespace?: string; readonly token?: string } = {},
): Promise<void> {
  await bench.admin.create(SERVICE_ACCOUNTS, namespace, {
    apiVersion: "v1",
    kind: "ServiceAccount",
    metadata: {
      name,
      namespace,
      annotations: Object.fromEntries(
        Object.entries(annotations).map(([key, value]) => [`workflows.argoproj.io/${key}`, value]),
      ),
    },
  });
  if (token === undefined) return;
  await bench.admin.create(SECRETS, namespace, {
    apiVersion: "v1",
    kind: "Secret",
    metadata: { name: `${name}.service-account-token`, namespace },
    data: { token: Buffer.from(token).toString("base64") },
  });
}

export { NAMESPACE };
