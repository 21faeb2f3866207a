import type { HostileCase, Settings } from "./case.ts";
import { GROWTH } from "./cases/growth.ts";
import { OBJECTS } from "./cases/objects.ts";
import { STATUSES } from "./cases/statuses.ts";
import { TEMPLATES } from "./cases/templates.ts";
import { TEXTS } from "./cases/texts.ts";

/** All cases by the kind of what is hostile about them. */
export const TABLE: Readonly<Record<string, readonly HostileCase[]>> = {
  "what grows": GROWTH,
  "texts and expressions": TEXTS,
  "objects of other shapes": [...OBJECTS, ...STATUSES, ...TEMPLATES],
};

/** Settings under which the table runs: a workflow may have fewer nodes, so that the limit is met soon. */
export const SETTINGS: Settings = { limits: { nodes: 3000, passMillis: 150 } };
