/** Cases of callers (AU): authentication and permissions; one sentence per case, and the tests that check it. */
import type { CoveredCase } from "../case_coverage.ts";
import { GATE, GRPC, INFO, LOGIN, MODE, SESSION } from "./places.ts";

/** All cases of callers, by id. */
export const CALLER_CASES: Readonly<Record<string, CoveredCase>> = {
  "AU-01": {
    behavior: "Without credentials, each route returns 401, in both protocols.",
    tests: [[GATE, "no route is reachable without credentials"], [
      GRPC,
      "gRPC: every method authenticates before it reads the message",
    ]],
  },
  "AU-02": {
    behavior: "An invalid token gives access to nothing, not even information, lint or metrics.",
    tests: [[GATE, "no route is reachable without credentials"], [
      "server/metrics/server_metrics_test.ts",
      "metrics: require authentication by header or cookie unless they are public",
    ]],
  },
  "AU-03": {
    behavior: "Malformed and very long credentials are refused.",
    tests: [[GATE, "no route is reachable without credentials"]],
  },
  "AU-04": {
    behavior: "A request with invalid credentials is never served with the server's permissions.",
    tests: [[GATE, "gate: the server's own permissions apply only in mode server without credentials"], [
      MODE,
      "sso: Kubernetes tokens are accepted only together with the mode client",
    ]],
  },
  "AU-05": {
    behavior: "The first cookie that a mode accepts is used; an invalid header has priority over all.",
    tests: [[GATE, "gate: a cookie authenticates, but changes must come from the server's own page"]],
  },
  "AU-06": {
    behavior: "A user name with a password is passed on; one without a password is refused.",
    tests: [[INFO, "client mode: basic credentials are forwarded unchanged, and invalid ones are rejected"]],
  },
  "AU-07": {
    behavior: "A caller's requests contain only the caller's credentials.",
    tests: [
      [
        "server/gate/credentials_test.ts",
        "AU-07 credentials: requests for a caller carry only the caller's token, whatever headers the caller sends",
      ],
      ["server/gate/own_credentials_test.ts", "as the server's own, a caller's requests carry only the caller's token"],
      [
        "server/gate/own_credentials_test.ts",
        "AU-07 credentials: the server's impersonation is not applied to callers",
      ],
    ],
  },
  "AU-08": {
    behavior: "The text after the namespace is the account's name.",
    tests: [[INFO, "accountOf: everything after the namespace is the account's name, including colons"]],
  },
  "AU-09": {
    behavior: "Revoked permissions and deleted callers expire from the cache.",
    tests: [[GATE, "gate: a revoked permission ends after 30 seconds"], [
      INFO,
      "gate: a revoked token works for at most a minute",
    ]],
  },
  "AU-10": {
    behavior: "A login returns Argo's cookie with the provider's claims.",
    tests: [[LOGIN, "login: sets a session cookie like Argo's"]],
  },
  "AU-11": {
    behavior: "Sessions of Argo and Tiphys are interchangeable.",
    tests: [
      [SESSION, "session: a session that Argo's libraries encrypted is accepted with the same"],
      ["tests/argo_cli/session_exchange_test.ts", "Argo's server accepts a session"],
    ],
  },
  "AU-12": {
    behavior: "Sessions of another server, and expired ones, are invalid.",
    tests: [[SESSION, "session: another key, issuer or algorithm"], [
      SESSION,
      "session: is accepted until one minute after its expiry",
    ]],
  },
  "AU-13": {
    behavior: "After a login, users are only redirected to this server.",
    tests: [[LOGIN, "login: redirects only to pages of this server"]],
  },
  "AU-14": {
    behavior: "A login response is valid once, and only for the browser that started the login.",
    tests: [[LOGIN, "login: a callback is valid once, in the browser that started the"], [
      LOGIN,
      "login: invalid tokens are refused without details",
    ], [
      LOGIN,
      "another verifier",
    ]],
  },
  "AU-15": {
    behavior: "Proxy headers do not affect the server's address.",
    tests: [[LOGIN, "login: the callback URL is that of the server"]],
  },
  "AU-16": {
    behavior: "Groups that are not a list are empty; a failed page of groups refuses the login.",
    tests: [[LOGIN, "login: groups come from the configured claim or user info endpoint,"]],
  },
  "AU-17": {
    behavior: "Groups are filtered; too many are reported.",
    tests: [[LOGIN, "login: groups come from the configured claim or user info endpoint,"]],
  },
  "AU-18": {
    behavior: "Each setting of the provider is supported, or reported.",
    tests: [[LOGIN, "login: the provider may use the configured alias as issuer"], [
      LOGIN,
      "login: the provider's certificate must be trusted through rootCA,",
    ]],
  },
  "AU-19": {
    behavior: "The account with the highest precedence is used.",
    tests: [[MODE, "sso rules: the account with the highest precedence whose rule is true"]],
  },
  "AU-20": {
    behavior: "Missing claims are nil, and groups are a list.",
    tests: [[MODE, "sso rules: variables contain the user's claims; unknown ones are nil,"]],
  },
  "AU-21": {
    behavior: "An invalid rule is skipped, with at most one log line per minute.",
    tests: [[MODE, "sso rules: a rule that fails or exceeds its time limit is skipped,"]],
  },
  "AU-22": {
    behavior: "Rules can use all claims.",
    tests: [[MODE, "sso rules: variables contain the user's claims; unknown ones are nil,"]],
  },
  "AU-23": {
    behavior: "The account of a namespace is chosen by precedence.",
    tests: [[MODE, "sso delegation: the account in the requested namespace is chosen if"]],
  },
  "AU-24": {
    behavior: "A failing rule of a namespace does not affect others.",
    tests: [[MODE, "sso delegation: if the login has no account and the namespace's rule"]],
  },
  "AU-25": {
    behavior: "The token is found in three places, and read again when it changes.",
    tests: [[MODE, "sso tokens: are read from the account's first Secret"]],
  },
  "AU-26": {
    behavior: "A session ends when it expires.",
    tests: [[LOGIN, "login: without rules, a session has the server's rights until it"]],
  },
  "AU-27": {
    behavior: "Servers share one key; an invalid key prevents the start.",
    tests: [[LOGIN, "two servers that start at once"]],
  },
  "AU-28": {
    behavior: "Log lines contain no credentials.",
    tests: [
      [
        "server/audit_test.ts",
        "audit: logs each change with caller, permissions, object and outcome, and no request contents",
      ],
      [MODE, "sso: logs the chosen account, and no token"],
      [
        LOGIN,
        "login: invalid tokens are refused without details",
      ],
    ],
  },
  "AU-29": {
    behavior: "Each change is one line of the audit log.",
    tests: [[
      "server/audit_test.ts",
      "audit: logs each change with caller, permissions, object and outcome, and no request contents",
    ]],
  },
  "AU-30": {
    behavior: "Metrics are for authenticated callers, or for everyone.",
    tests: [[
      "server/metrics/server_metrics_test.ts",
      "metrics: require authentication by header or cookie unless they are public",
    ]],
  },
  "AU-31": {
    behavior: "A permission for one object does not apply to others.",
    tests: [[GATE, "gate: a permission for one object does not apply to others"]],
  },
  "AU-32": {
    behavior: "The server's certificate proves its identity.",
    tests: [[INFO, "userinfo: in mode server, the identity is the server's, with system groups only"]],
  },
};
