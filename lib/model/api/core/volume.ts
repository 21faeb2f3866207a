/** Volume and PersistentVolumeClaim of core/v1. Volume sources are validated by Kubernetes. */
import * as z from "zod";
import { ObjectMeta, typeMeta } from "../metadata.ts";
import { Int32, loose, mapOf, object, Quantity } from "../schema.ts";

const keyToPath = loose({ key: z.string(), path: z.string(), mode: Int32.optional() });

/** A volume of a pod. */
export const Volume = object({
  name: z.string(),
  emptyDir: loose({ medium: z.string().optional(), sizeLimit: Quantity.optional() }).optional(),
  hostPath: loose({ path: z.string(), type: z.string().optional() }).optional(),
  configMap: loose({
    name: z.string().optional(),
    items: z.array(keyToPath).optional(),
    defaultMode: Int32.optional(),
    optional: z.boolean().optional(),
  }).optional(),
  secret: loose({
    secretName: z.string().optional(),
    items: z.array(keyToPath).optional(),
    defaultMode: Int32.optional(),
    optional: z.boolean().optional(),
  }).optional(),
  persistentVolumeClaim: loose({ claimName: z.string(), readOnly: z.boolean().optional() }).optional(),
  downwardAPI: loose({}).optional(),
  projected: loose({}).optional(),
  image: loose({ reference: z.string().optional(), pullPolicy: z.string().optional() }).optional(),
  ephemeral: loose({}).optional(),
  csi: loose({}).optional(),
  nfs: loose({}).optional(),
  iscsi: loose({}).optional(),
  fc: loose({}).optional(),
  flexVolume: loose({}).optional(),
  awsElasticBlockStore: loose({}).optional(),
  azureDisk: loose({}).optional(),
  azureFile: loose({}).optional(),
  cephfs: loose({}).optional(),
  cinder: loose({}).optional(),
  flocker: loose({}).optional(),
  gcePersistentDisk: loose({}).optional(),
  gitRepo: loose({}).optional(),
  glusterfs: loose({}).optional(),
  photonPersistentDisk: loose({}).optional(),
  portworxVolume: loose({}).optional(),
  quobyte: loose({}).optional(),
  rbd: loose({}).optional(),
  scaleIO: loose({}).optional(),
  storageos: loose({}).optional(),
  vsphereVolume: loose({}).optional(),
});
/** A volume of a pod. */
export type Volume = z.infer<typeof Volume>;

/** A claim for storage: an entry of volumeClaimTemplates, or an object. */
export const PersistentVolumeClaim = object({
  ...typeMeta,
  metadata: ObjectMeta.optional(),
  spec: loose({
    accessModes: z.array(z.string()).optional(),
    storageClassName: z.string().optional(),
    volumeName: z.string().optional(),
    volumeMode: z.string().optional(),
    resources: loose({ requests: mapOf(Quantity).optional(), limits: mapOf(Quantity).optional() }).optional(),
  }).optional(),
  status: loose({ phase: z.string().optional() }).optional(),
});
/** A claim for storage: an entry of volumeClaimTemplates, or an object. */
export type PersistentVolumeClaim = z.infer<typeof PersistentVolumeClaim>;
