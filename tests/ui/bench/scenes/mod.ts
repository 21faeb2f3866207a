/** The scenes of the bench, in the order in which they are measured. */
import type { Scene } from "../scene.ts";
import { CHANGES } from "./changes.ts";
import { COLD } from "./cold.ts";
import { EDITOR } from "./editor.ts";
import { FOLLOW } from "./follow.ts";
import { GONE } from "./gone.ts";
import { GRAPHS } from "./graph.ts";
import { LIFE } from "./life.ts";
import { LIST } from "./list.ts";
import { LOG } from "./log.ts";
import { PALETTE } from "./palette.ts";
import { RELOAD } from "./reload.ts";
import { TIMELINE, TREE } from "./rows.ts";
import { TABS } from "./tabs.ts";

export const SCENES: readonly Scene[] = [
  COLD,
  RELOAD,
  LIST,
  ...GRAPHS,
  CHANGES,
  TREE,
  TIMELINE,
  LOG,
  FOLLOW,
  EDITOR,
  PALETTE,
  GONE,
  TABS,
  LIFE,
];
