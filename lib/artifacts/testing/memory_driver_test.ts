import { testContract } from "./contract/mod.ts";
import { MemoryDriver, type Objects } from "./memory_driver.ts";

const objects: Objects = new Map();

testContract({
  name: "memory",
  driver: () => new MemoryDriver(objects),
  place: (key) => ({ store: "memory", key, settings: {} }),
});
