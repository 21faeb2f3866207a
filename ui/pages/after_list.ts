/** Parts of the run list that are needed on demand, in one file that loads after the list. */
export { ColumnMenu } from "../components/column_menu.tsx";
export { ViewMenu } from "../components/view_menu.tsx";
export { RowMenu } from "../components/row_menu.tsx";
export { RunDrawer } from "../components/run_drawer.tsx";
export { NoRuns } from "./no_runs.tsx";
export { Activity } from "./activity.tsx";
export { BulkActions } from "./bulk_actions.tsx";
