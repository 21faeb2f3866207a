/** The table of all routes. */
import { ARCHIVE_ROUTES } from "./archive/routes.ts";
import { ARGO_EVENTS_ROUTES } from "./argo_events/routes.ts";
import { EVENT_ROUTES } from "./events/routes.ts";
import { ARTIFACT_ROUTES } from "./artifacts/routes.ts";
import { INFO_ROUTES } from "./info/routes.ts";
import { SYNC_ROUTES } from "./sync/routes.ts";
import { TEMPLATE_ROUTES } from "./templates/routes.ts";
import { WORKFLOW_ROUTES } from "./workflows/routes.ts";
import type { Route } from "./routes/route.ts";
import { sharedStreamRoute } from "./shared_stream/routes.ts";

const SINGLE: readonly Route[] = [
  ...WORKFLOW_ROUTES,
  ...ARCHIVE_ROUTES,
  ...ARTIFACT_ROUTES,
  ...TEMPLATE_ROUTES,
  ...SYNC_ROUTES,
  ...EVENT_ROUTES,
  ...ARGO_EVENTS_ROUTES,
  ...INFO_ROUTES,
];

export const ROUTES: readonly Route[] = [...SINGLE, sharedStreamRoute(SINGLE)];
