/** Memoization: cache entries in ConfigMaps, and which of them are evicted. */
export {
  CACHE_TYPE,
  type CacheMap,
  cacheProblem,
  formatEntry,
  lookUpEntry,
  type MemoEntry,
  type MemoLookup,
  type MemoLookupResult,
  parseEntry,
} from "./cache_map.ts";
export { keysNotHitSince, keysToEvict } from "./eviction.ts";
