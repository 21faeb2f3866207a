/** What the list of runs shows when somebody asks for more of it: one file, which is loaded after the list. */
export { RunDrawer } from "../components/run_drawer.tsx";
export { BulkActions } from "./bulk_actions.tsx";
