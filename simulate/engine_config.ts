import { type EngineConfig, USUAL_LIMITS } from "../controller/workflow/engine/mod.ts";

/**
 * The settings of a controller that nobody configured, without its environment; but pods have no finalizer, as nobody
 * deletes them behind the engine's back, and nodes are not announced by events.
 */
export const ENGINE_CONFIG: EngineConfig = {
  executor: {
    layout: "initless",
    image: "argoexec:simulated",
    images: {},
    statusFinalizer: false,
    logLevel: "info",
    logFormat: "text",
  },
  deletePropagation: "Background",
  podNameFormat: "v2",
  taskResultTimeoutSeconds: 600,
  recentlyDeletedPodSeconds: 120,
  recentlyStartedPodSeconds: 0,
  maxDepth: 100,
  limits: USUAL_LIMITS,
  podGcDeleteDelaySeconds: 5,
  podStatusHoldSeconds: 600,
  maxPodRestarts: 0,
  remakeAfterShutdown: false,
  nodeEvents: false,
  agent: { cpuLimit: "100m", memoryLimit: "256M", patchRate: "10s" },
};
