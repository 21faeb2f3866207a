/** Manifests that the tests of several commands share. */

/** A workflow that is suspended until a user resumes it. */
export const WAITING = `apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {generateName: made-}
spec:
  entrypoint: main
  templates: [{name: main, suspend: {}}]
`;
