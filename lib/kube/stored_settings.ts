/** Settings that are stored in ConfigMaps and Secrets. */
export { findConfigMap } from "./find_config_map.ts";
export { type SecretKeyReference, secretValue } from "./secret_value.ts";
