/** Parts of the run list that are needed on demand, in one file that loads after the list. */
export { RunDrawer } from "../components/run_drawer.tsx";
export { Activity } from "./activity.tsx";
export { BulkActions } from "./bulk_actions.tsx";
