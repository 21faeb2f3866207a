/** All journeys, by number in the specification of the page. */
import { LOCAL } from "./local.ts";
import { LOGIN } from "./login.ts";
import { RUNS } from "./runs.ts";
import { ARCHIVE } from "./archive.ts";
import { ARTIFACTS } from "./artifacts.ts";
import { RUN } from "./run.ts";
import { GRAPH_SHAPE } from "./graph_shape.ts";
import { RUN_TIME } from "./run_time.ts";
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
  ...CONNECTIONS,
  ...RUN,
  ...GRAPH_SHAPE,
  ...RUN_TIME,
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
