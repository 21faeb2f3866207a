/** Manifests that tests of several commands are given. */

/** A workflow that waits for a person. */
export const WAITING = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {generateName: made-}
spec:
  entrypoint: main
  templates: [{name: main, suspend: {}}]
`;
