/**
 * Finds the parts of a value that its schema calls secret: `writeOnly: true`, at any depth. Where it is not certain
 * which schema applies, such as in `anyOf`, all that may apply do: a part too many is hidden, never one too few.
 */
import type { Json, JsonObject } from "@runhook/core/shared/json/Json"
import * as Result from "effect/Result"
import { inPlaceKeywords } from "./Dialect.ts"
import { isObject } from "./JsonTree.ts"
import * as LinearPattern from "./LinearPattern.ts"

export type Path = ReadonlyArray<string | number>

/** Schemas that are held against values, for one value; beyond that all of it counts as secret. */
export const stepsMax = 500_000

/** Answers the paths of the secret parts of a value; null for a schema that calls nothing secret. */
export const secretPaths = (root: JsonObject): ((value: JsonObject) => ReadonlyArray<Path>) | null => {
  const identified: Array<JsonObject> = []
  let isSecretive = false
  const visit = (part: Json): void => {
    if (Array.isArray(part)) part.forEach(visit)
    if (!isObject(part)) return
    if (part["writeOnly"] === true) isSecretive = true
    if (names.some((name) => typeof part[name] === "string")) identified.push(part)
    Object.values(part).forEach(visit)
  }
  visit(root)
  if (!isSecretive) return null
  const patterns = new Map<string, (text: string) => boolean>()
  const matches = (pattern: string, name: string): boolean => {
    const known = patterns.get(pattern) ?? testOf(pattern)
    patterns.set(pattern, known)
    return known(name)
  }

  /** Where a reference may lead: a pointer from the root, or from any schema with a name of its own; else any of those. */
  const targetsOf = (reference: string): ReadonlyArray<Json> => {
    const [, fragment = ""] = /#(.*)$/.exec(reference) ?? []
    const isPointer = fragment === "" || fragment.startsWith("/")
    if (reference.startsWith("#") && isPointer && identified.every((each) => each === root)) {
      return [at(root, fragment)]
    }
    const resources = [root, ...identified]
    return isPointer && fragment !== "" ? resources.map((each) => at(each, fragment)) : resources
  }

  return (value) => {
    const found: Array<Path> = []
    let steps = 0

    /** The schemas that apply to the same value as these. */
    const applying = (schemas: Iterable<Json>): ReadonlySet<JsonObject> => {
      const all = new Set<JsonObject>()
      const add = (schema: Json): void => {
        if (!isObject(schema) || all.has(schema)) return
        steps++
        all.add(schema)
        for (const [keyword, held] of Object.entries(schema)) {
          if ((keyword === "$ref" || keyword === "$dynamicRef") && typeof held === "string") {
            targetsOf(held).forEach(add)
          }
          if (!inPlaceKeywords.has(keyword)) continue
          if (Array.isArray(held)) held.forEach(add)
          else if (byName.has(keyword)) Object.values(isObject(held) ? held : {}).forEach(add)
          else add(held)
        }
      }
      for (const schema of schemas) add(schema)
      return all
    }

    const ofMember = (schema: JsonObject, name: string): ReadonlyArray<Json> => {
      const own = isObject(schema["properties"]) ? schema["properties"] : {}
      const byPattern = Object.entries(
        isObject(schema["patternProperties"]) ? schema["patternProperties"] : {}
      )
      const matching = byPattern.filter(([pattern]) => matches(pattern, name)).map(([, each]) => each)
      const named = Object.hasOwn(own, name) ? [own[name] ?? null] : []
      const others = [schema["additionalProperties"] ?? null, schema["unevaluatedProperties"] ?? null]
      return [...named, ...matching, ...(named.length + matching.length === 0 ? others : [])]
    }

    const walk = (part: Json, schemas: ReadonlySet<JsonObject>, path: Path): void => {
      if (schemas.size === 0 || steps > stepsMax) return
      if ([...schemas].some((schema) => schema["writeOnly"] === true)) {
        if (path.length > 0) found.push(path)
        else for (const name of Object.keys(value)) found.push([name])
        return
      }
      if (Array.isArray(part)) {
        part.forEach((item, index) => {
          const held = [...schemas].flatMap((schema) => ofItem(schema, index))
          walk(item, applying(held), [...path, index])
        })
      } else if (isObject(part)) {
        for (const [name, member] of Object.entries(part)) {
          const held = [...schemas].flatMap((schema) => ofMember(schema, name))
          walk(member, applying(held), [...path, name])
        }
      }
    }

    walk(value, applying([root]), [])
    return steps > stepsMax ? Object.keys(value).map((name) => [name]) : found
  }
}

const names = ["$id", "$anchor", "$dynamicAnchor"]

/** Of the keywords that apply in place: those that hold schemas by name. */
const byName: ReadonlySet<string> = new Set(["dependentSchemas", "dependencies"])

const ofItem = (schema: JsonObject, index: number): ReadonlyArray<Json> => {
  const {
    additionalItems = null,
    contains = null,
    items = null,
    prefixItems,
    unevaluatedItems = null
  } = schema
  const places = Array.isArray(prefixItems) ? prefixItems : Array.isArray(items) ? items : []
  const rest = Array.isArray(items) ? [additionalItems] : [items]
  return index < places.length ? [places[index] ?? null, contains] : [...rest, contains, unevaluatedItems]
}

/** The part of a schema at a pointer; null if there is none. */
const at = (schema: Json, pointer: string): Json =>
  decoded(pointer)
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce((part: Json, step) => {
      if (Array.isArray(part)) return part[Number(step)] ?? null
      return isObject(part) && Object.hasOwn(part, step) ? (part[step] ?? null) : null
    }, schema)

const decoded = (pointer: string): string =>
  Result.getOrElse(
    Result.try(() => decodeURIComponent(pointer)),
    () => pointer
  )

/** A pattern that cannot be served was refused with its schema. */
const testOf = (pattern: string): ((text: string) => boolean) =>
  Result.match(LinearPattern.compile(pattern), {
    onFailure: () => () => true,
    onSuccess: ({ test }) => test
  })
