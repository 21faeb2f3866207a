/** A workflow that takes locks one after the other, to be told when. */

/**
 * A manifest: the workflow holds some locks and, once it is resumed, wants others in its only node. `holds` and `wants` are
 * references to mutexes in YAML: `{name: m}`.
 */
export function taker(name: string, holds: string, wants: string): string {
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
