import { DEFAULT_ENGINE_LIMITS, type EngineConfig } from "@tiphys/engine";

/**
 * The default settings of the controller, independent of the environment. Differences: pods have no finalizer, because
 * nothing deletes them unexpectedly, and nodes emit no events.
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
  limits: DEFAULT_ENGINE_LIMITS,
  podGcDeleteDelaySeconds: 5,
  podStatusHoldSeconds: 600,
  maxPodRestarts: 0,
  restartsPodsAfterShutdown: false,
  nodeEvents: false,
  agent: { cpuLimit: "100m", memoryLimit: "256M", patchRate: "10s" },
};
