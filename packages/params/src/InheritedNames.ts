/** Names such as `constructor` and `toString`, which every JavaScript object inherits. */
import type { Json } from "@runhook/core/shared/json/Json"
import { isArray, isObject } from "./JsonTree.ts"
import type { SchemaNode } from "./SchemaTree.ts"

const isInherited = (name: string): boolean => name in Object.prototype

/**
 * Whether a default would be filled in under such a name: on an ordinary object,
 * ajv never finds it missing.
 */
export const hasInheritedDefaults = (nodes: ReadonlyArray<SchemaNode>): boolean =>
  nodes.some(({ schema }) => {
    const properties = isObject(schema) ? schema["properties"] : undefined
    return (
      isObject(properties) &&
      Object.entries(properties).some(
        ([name, property]) => isInherited(name) && isObject(property) && Object.hasOwn(property, "default")
      )
    )
  })

/** Runs while the objects of a value inherit nothing. */
export const withoutInheritance = <A>(value: Json, run: () => A): A => {
  setPrototypes(value, null)
  const done = run()
  setPrototypes(value, Object.prototype)
  return done
}

const setPrototypes = (json: Json, prototype: object | null): void => {
  if (isArray(json)) for (const item of json) setPrototypes(item, prototype)
  if (!isObject(json)) return
  Object.setPrototypeOf(json, prototype)
  for (const member of Object.values(json)) setPrototypes(member, prototype)
}
