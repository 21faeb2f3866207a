/** The limits of semaphores, as people change them: one interface over where they are kept. */
export { configMapLimits } from "./config_map_limits.ts";
export {
  type LimitKeeper,
  readSyncType,
  type SyncLimit,
  type SyncLimitCode,
  SyncLimitError,
  type SyncLimitName,
  SyncLimits,
  type SyncType,
} from "./sync_limits.ts";
