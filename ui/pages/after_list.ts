/** The parts of the list of runs that somebody asks for: one file, which is loaded after the list. */
export { RunDrawer } from "../components/run_drawer.tsx";
export { BulkActions } from "./bulk_actions.tsx";
