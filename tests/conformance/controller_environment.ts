/** The pace of requeues and of progress reports for which the suite's times are defined. */
export const CONTROLLER_ENVIRONMENT = {
  DEFAULT_REQUEUE_TIME: "1s",
  ARGO_PROGRESS_PATCH_TICK_DURATION: "5s",
};
