/** Semaphore limits as users change them: one interface for both storages. */
export { configMapLimits } from "./config_map_limits.ts";
export {
  type LimitStorage,
  readSyncType,
  type SyncLimit,
  type SyncLimitCode,
  SyncLimitError,
  type SyncLimitName,
  SyncLimits,
  type SyncType,
} from "./sync_limits.ts";
