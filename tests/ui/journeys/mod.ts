/** All journeys, by number in the specification of the page. */
import { LOCAL } from "./local.ts";
import { LOGIN } from "./login.ts";
import { RUNS } from "./runs.ts";
import { RUNS_FILTERS } from "./runs_filters.ts";
import { INSTALLATION } from "./installation.ts";
import { ARCHIVE } from "./archive.ts";
import { ARTIFACTS } from "./artifacts.ts";
import { RUN } from "./run.ts";
import { RUN_GRAPH } from "./run_graph.ts";
import { RUN_LOG } from "./run_log.ts";
import { RUN_ACTIONS } from "./run_actions.ts";
import { RUN_REASONS } from "./run_reasons.ts";
import { LOG_END } from "./log_end.ts";
import { GRAPH_SHAPE } from "./graph_shape.ts";
import { RUN_TIMELINE } from "./run_timeline.ts";
import { OVER_RUNS } from "./over_runs.ts";
import { BULK } from "./bulk.ts";
import { CONNECTIONS } from "./connections.ts";
import { OBJECTS } from "./objects.ts";
import { TEMPLATES } from "./templates.ts";
import { ARGO_SERVER } from "./argo_server.ts";
import { EVERYONE } from "./everyone.ts";
import { LOOK } from "./look.ts";
import { PALETTE } from "./palette.ts";
import { LONG_WORDS } from "./long_words.ts";
import { WRONG_ANSWERS } from "./wrong_answers.ts";
import type { Journey } from "../journey.ts";

export const JOURNEYS: readonly Journey[] = [
  ...LOCAL,
  ...LOGIN,
  ...RUNS,
  ...RUNS_FILTERS,
  ...INSTALLATION,
  ...CONNECTIONS,
  ...RUN,
  ...RUN_GRAPH,
  ...LOG_END,
  ...GRAPH_SHAPE,
  ...RUN_TIMELINE,
  ...RUN_LOG,
  ...RUN_ACTIONS,
  ...RUN_REASONS,
  ...OVER_RUNS,
  ...BULK,
  ...ARTIFACTS,
  ...ARCHIVE,
  ...TEMPLATES,
  ...OBJECTS,
  ...EVERYONE,
  ...LOOK,
  ...PALETTE,
  ...LONG_WORDS,
  ...WRONG_ANSWERS,
  ...ARGO_SERVER,
];
