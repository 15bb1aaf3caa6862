/** Names such as `constructor` and `toString`, which every JavaScript object inherits. */
import type { Json } from "@runhook/core/domain/json/Json"
import type { SchemaIssue } from "@runhook/core/ports/ParamsValidator"
import { isArray, isObject, memberOf } from "./JsonTree.ts"
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

/** The first such name in a value. Ajv takes it for an evaluated one, whatever the schema says. */
export const inheritedNameIn = (json: Json): SchemaIssue | undefined => {
  if (!isObject(json) && !isArray(json)) return undefined
  for (const [name, member] of Object.entries(json)) {
    if (isObject(json) && isInherited(name)) {
      const message = "has a name that schemas with unevaluatedProperties or unevaluatedItems cannot have"
      return { path: memberOf("", name), keyword: "propertyNames", message }
    }
    const found = inheritedNameIn(member)
    if (found !== undefined) return { ...found, path: `${memberOf("", name)}${found.path}` }
  }
  return undefined
}
