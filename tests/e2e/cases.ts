/** The list of cases: properties of the project on a real cluster, each proved by the state of the cluster. */
import type { Case } from "./case.ts";
import { AGENT } from "./cases/agent.ts";
import { BASICS } from "./cases/basics.ts";
import { DROPPED_VOLUME } from "./cases/dropped_volume.ts";
import { ENDINGS } from "./cases/endings.ts";
import { FAILURES } from "./cases/failures.ts";
import { FINALIZER } from "./cases/finalizer.ts";
import { HELM } from "./cases/helm.ts";
import { IMAGES } from "./cases/images.ts";
import { METRICS } from "./cases/metrics.ts";
import { PACKAGING } from "./cases/packaging.ts";
import { REPORT_POLICY } from "./cases/report_policy.ts";
import { RESOURCES } from "./cases/resources.ts";
import { SERVER } from "./cases/server.ts";
import { SERVER_GATE } from "./cases/server_gate.ts";
import { SHAPES } from "./cases/shapes.ts";
import { SINGLE_CONTAINER } from "./cases/single_container.ts";

/** All cases, the slow ones first: they run in parallel, except those that must be alone. */
export const CASES: readonly Case[] = [
  ...ENDINGS,
  ...IMAGES,
  ...FAILURES,
  ...SHAPES,
  ...SINGLE_CONTAINER,
  ...RESOURCES,
  ...AGENT,
  ...REPORT_POLICY,
  ...METRICS,
  ...PACKAGING,
  ...SERVER,
  ...SERVER_GATE,
  ...BASICS,
  ...HELM,
  ...FINALIZER,
  ...DROPPED_VOLUME,
];
