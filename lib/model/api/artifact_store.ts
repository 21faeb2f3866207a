/**
 * The schemas of stores, built from their table: one shape per store for artifacts, and one for repositories, which has
 * a format for keys instead of a key.
 */
import * as z from "zod";
import type { Field, Fields, ObjectOf } from "../artifact/fields.ts";
import { type StoreName, type StoreRow, STORES, type StoreTable } from "../artifact/stores.ts";
import { ConfigMapKeySelector, SecretKeySelector } from "./core/reference.ts";
import { Int32, Int64, limits, object } from "./schema.ts";

/** The field of each store in an artifact. */
export type Stores = { [S in StoreName]?: ObjectOf<(typeof STORES)[S]["fields"]> | undefined };

type RepositoryName = { [S in StoreName]: (typeof STORES)[S] extends { repository: unknown } ? S : never }[StoreName];
type RepositoryFields<S extends RepositoryName> = Partial<
  & ObjectOf<(typeof STORES)[S]["fields"]>
  & ObjectOf<(typeof STORES)[S]["repository"]["fields"]>
>;

/** The field of each store in an artifact repository. */
export type RepositoryStores = { [S in RepositoryName]?: RepositoryFields<S> | undefined };

/** The shape of all stores of a table in an artifact. */
export function storeShape(table: StoreTable): Record<string, z.ZodType> {
  return eachStore(table, ({ fields, isOpen }) => objectOf(fields, isOpen));
}

/** The shape of all stores of a table that can be a repository. All fields are optional. */
export function repositoryShape(table: StoreTable): Record<string, z.ZodType> {
  return eachStore(table, ({ fields, key, repository }) => {
    if (!repository) return undefined;
    const { [key ?? ""]: _, ...others } = { ...fields, ...repository.fields };
    const kept = Object.entries(others).filter(([name]) => !repository.lacks?.includes(name));
    const optional = kept.map(([name, field]) => [name, { ...field, isRequired: false }] as const);
    return objectOf(Object.fromEntries(optional)).optional();
  });
}

function eachStore(table: StoreTable, make: (row: StoreRow) => z.ZodType | undefined): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(table).flatMap(([name, row]) => {
      const schema = make(row);
      return schema ? [[name, schema]] : [];
    }),
  );
}

function objectOf(fields: Fields, isOpen?: boolean): z.ZodType {
  const shape = Object.entries(fields).map(([name, field]) => {
    const schema = schemaOf(field);
    return [name, field.isRequired ? schema : schema.optional()];
  });
  const schema = object(Object.fromEntries(shape) as Record<string, z.ZodType>);
  return isOpen ? schema.register(limits, { open: true }) : schema;
}

function schemaOf(field: Field): z.ZodType {
  switch (field.kind) {
    case "text":
      return z.string();
    case "flag":
      return z.boolean();
    case "int32":
      return Int32;
    case "int64":
      return Int64;
    case "secret":
      return SecretKeySelector;
    case "configMap":
      return ConfigMapKeySelector;
    case "word":
      return z.enum(field.words ?? []);
    case "list":
      return z.array(schemaOf(field.element!));
    case "block":
      return objectOf(field.fields ?? {}, field.isOpen);
  }
}

const repository = object({ archiveLogs: z.boolean().optional(), ...repositoryShape(STORES) });

/** The store for artifacts without a location, and the format of their keys. */
export type ArtifactRepository = { archiveLogs?: boolean | undefined } & RepositoryStores;
/** The store for artifacts without a location, and the format of their keys. */
// deno-lint-ignore tiphys/no-double-cast -- schema and type come from one table of stores
export const ArtifactRepository = repository as unknown as z.ZodType<ArtifactRepository>;

/** The schema of each store's field in an artifact, by the name of the store. */
export const storeSchemas: Readonly<Record<string, z.ZodType>> = storeShape(STORES);

/** The fields of an artifact or a location that name its store. */
// deno-lint-ignore tiphys/no-double-cast -- schemas and types come from one table of stores
export const locationFields = Object.fromEntries(
  Object.entries(storeSchemas).map(([name, schema]) => [name, schema.optional()]),
) as unknown as { [S in keyof Stores]-?: z.ZodOptional<z.ZodType<NonNullable<Stores[S]>>> };
