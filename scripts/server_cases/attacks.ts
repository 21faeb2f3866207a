/** Cases of known attacks (SEC): one sentence per case, and the tests that check it. */
import type { CoveredCase } from "../case_coverage.ts";
import { EVENTS, GATE, HOSTILE, INFO } from "./places.ts";

/** All cases of attacks, by id. */
export const ATTACK_CASES: Readonly<Record<string, CoveredCase>> = {
  "SEC-1": {
    behavior:
      "The default mode is client. On an address that others can reach, the mode server refuses anonymous callers unless a flag permits them.",
    tests: [["server/flags_test.ts", "the defaults are Argo's"], [
      "server/program_test.ts",
      "reports that anonymous callers are refused",
    ]],
  },
  "SEC-2": {
    behavior: "A value that looks like a template stays a string.",
    tests: [[EVENTS, "a payload may be any JSON"], ["tests/advisories/cve_2021_37914_test.ts", "CVE-2021-37914"]],
  },
  "SEC-3": {
    behavior: "Our clients verify certificates unless they are configured not to.",
    tests: [["tests/advisories/ghsa_6c73_test.ts", "trusts only the configured certificate authority"], [
      "lib/base/net/dial_test.ts",
      "dial: given authorities",
    ]],
  },
  "SEC-4": {
    behavior: "Strict refuses fields that affect pods.",
    tests: [
      ["tests/advisories/cve_2026_31892_test.ts", "podSpecPatch is refused"],
      ["tests/advisories/cve_2026_42296_test.ts", "fields that reach a pod"],
      ["server/workflows/restriction_test.ts", "restriction: an older workflow that violates it cannot be"],
      ["server/workflows/restriction_test.ts", "restriction: a submission is checked by the fields that it sets in"],
      [INFO, "info: reads workflowRestrictions of the controller, and logs an invalid one"],
    ],
  },
  "SEC-5": {
    behavior: "No account or claim makes authorization fail with an internal error.",
    tests: [[HOSTILE, "SEC-5"]],
  },
  "SEC-6": { behavior: "Large bodies are read up to the limit of an event.", tests: [[HOSTILE, "SEC-6"]] },
  "SEC-7": { behavior: "Refusals and metrics do not accumulate memory.", tests: [[HOSTILE, "SEC-7"]] },
  "SEC-8": { behavior: "No body makes the server fail with an internal error.", tests: [[HOSTILE, "SEC-8"]] },
  "SEC-9": {
    behavior: "A change with a cookie must come from the server's own page.",
    tests: [[GATE, "gate: a cookie authenticates, but changes must come from the server's own page"]],
  },
  "SEC-10": {
    behavior: "A request has a single interpretation of lengths, host and path, or is refused.",
    tests: [
      ["server/listen/request_shapes_test.ts", "listen: an ambiguous request is refused and does not reach the"],
      [
        "server/listen/request_shapes_test.ts",
        "requestUrl: the whole target is the path and cannot name a host",
      ],
    ],
  },
  "SEC-11": {
    behavior: "Many headers, and pipelined requests, do not affect other clients.",
    tests: [["server/listen/request_shapes_test.ts", "listen: a request with too many headers is rejected with 431"], [
      "server/listen/one_at_a_time_test.ts",
      "oneAtATime: a client with thousands of pipelined requests is disconnected, and others are served",
    ]],
  },
};
