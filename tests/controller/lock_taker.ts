/** A workflow that acquires two locks in an order that the test controls. */

/**
 * Returns a manifest: the workflow holds some locks and, once it is resumed, acquires others in its only node. `holds`
 * and `wants` are references to mutexes in YAML: `{name: m}`.
 */
export function lockingWorkflow(name: string, holds: string, wants: string): string {
  return `
metadata: {name: ${name}}
spec:
  entrypoint: main
  suspend: true
  synchronization: {mutexes: [${holds}]}
  templates:
  - name: main
    steps: [[{name: take, template: take}]]
  - name: take
    synchronization: {mutexes: [${wants}]}
    container: {image: busybox, command: ["true"]}
`;
}
