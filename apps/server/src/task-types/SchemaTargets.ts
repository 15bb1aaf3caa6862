/** What the references within a schema refer to. */

export interface SchemaObject {
  readonly [keyword: string]: unknown
}

export type Schema = boolean | SchemaObject

const isObject = (value: unknown): value is SchemaObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Anything that is no schema takes every value. */
export const schemaOf = (value: unknown): Schema => (isObject(value) || value === false ? value : true)

/** The schemas of a list. */
export const listIn = (schema: SchemaObject, keyword: string): ReadonlyArray<Schema> => {
  const list = schema[keyword]
  return Array.isArray(list) ? list.map(schemaOf) : []
}

/** The schemas by name. */
export const entriesIn = (
  schema: SchemaObject,
  keyword: string
): ReadonlyArray<readonly [string, Schema]> => {
  const entries = schema[keyword]
  return isObject(entries) ? Object.entries(entries).map(([name, each]) => [name, schemaOf(each)]) : []
}

/** A schema that is referred to, and what it is called there. */
export interface Target {
  readonly schema: SchemaObject
  readonly name: string
}

/**
 * Finds the target of each `$ref`: by `#`, by a JSON Pointer, or by an anchor. Others have none, and neither has any in
 * a schema that holds others with an `$id`, since references in those begin there.
 */
export const targetsOf = (root: SchemaObject): ((schema: SchemaObject) => Target | undefined) => {
  const anchors = new Map<string, SchemaObject>()
  let isOne = true
  const gather = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(gather)
    if (!isObject(value)) return
    const { $anchor: anchor, $id: id } = value
    if (typeof anchor === "string") anchors.set(anchor, value)
    // Draft 07 writes an anchor as an id.
    if (typeof id === "string" && id.startsWith("#")) anchors.set(id.slice(1), value)
    else if (typeof id === "string" && value !== root) isOne = false
    Object.values(value).forEach(gather)
  }
  gather(root)

  const find = (reference: string): Target | undefined => {
    if (!isOne || !reference.startsWith("#")) return undefined
    const fragment = decoded(reference.slice(1))
    const steps = fragment
      .split("/")
      .slice(1)
      .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    const found = fragment === "" || steps.length > 0 ? at(root, steps) : anchors.get(fragment)
    return isObject(found) ? { schema: found, name: steps.at(-1) ?? fragment } : undefined
  }

  const targetOf = ({ $ref }: SchemaObject) => (typeof $ref === "string" ? find($ref) : undefined)

  /** Whether a schema is made of itself, and so of nothing that can be printed. */
  const isEndless = (schema: SchemaObject, seen: ReadonlySet<Schema> = new Set()): boolean => {
    if (seen.has(schema)) return true
    const within = new Set([...seen, schema])
    return [
      targetOf(schema)?.schema,
      ...["allOf", "anyOf", "oneOf"].flatMap((each) => listIn(schema, each))
    ].some((each) => isObject(each) && isEndless(each, within))
  }

  return (schema) => {
    const target = targetOf(schema)
    return target === undefined || isEndless(target.schema) ? undefined : target
  }
}

const at = (root: unknown, steps: ReadonlyArray<string>): unknown =>
  steps.reduce<unknown>(
    (value, step) =>
      typeof value === "object" && value !== null && Object.hasOwn(value, step)
        ? Reflect.get(value, step)
        : undefined,
    root
  )

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
