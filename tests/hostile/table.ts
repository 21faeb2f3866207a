import type { HostileCase, Settings } from "./case.ts";
import { GROWTH } from "./cases/growth.ts";
import { OBJECTS } from "./cases/objects.ts";
import { REPORTS } from "./cases/reports.ts";
import { STATUSES } from "./cases/statuses.ts";
import { TEMPLATES } from "./cases/templates.ts";
import { TEXTS } from "./cases/texts.ts";

/** All cases, by what is hostile about them. */
export const TABLE: Readonly<Record<string, readonly HostileCase[]>> = {
  "what grows": GROWTH,
  "texts and expressions": TEXTS,
  "objects of other shapes": [...OBJECTS, ...STATUSES, ...TEMPLATES],
  "reports, caches, locks, schedules and metrics": REPORTS,
};

/** Settings of the table: a workflow may have fewer nodes, so that it reaches the limit early. */
export const SETTINGS: Settings = { limits: { nodes: 3000, passMillis: 150 } };
