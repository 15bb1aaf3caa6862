/**
 * Params that only the work gets to see. In their place an execution shows a word, everywhere and for ever; their
 * values are kept sealed beside it.
 */
import type { ApiKeyId } from "../../shared/Ids.ts"
import type { Json, JsonObject } from "../../shared/json/Json.ts"

/** What is shown in place of a secret. */
export const hidden = "[secret]"

/** Where a secret is in the params: names of members, indices of items. */
export type Path = ReadonlyArray<string | number>

/** A secret, its place, and the key that gave it: null if none did, but an operator. As JSON it is what is sealed. */
export type Secret = readonly [path: Path, value: Json, givenBy?: ApiKeyId | null]

const isSame = (one: Path, other: Path): boolean =>
  one.length === other.length && one.every((step, index) => step === other[index])

/** The value with each part replaced that is at one of the paths. Paths that lead nowhere are passed over. */
const replaced = (value: Json, secrets: ReadonlyArray<Secret>): Json => {
  const own = secrets.find(([path]) => path.length === 0)
  if (own !== undefined) return own[1]
  if (secrets.length === 0) return value
  const inside = (step: string | number) =>
    secrets.flatMap(([[first, ...rest], secret]): ReadonlyArray<Secret> =>
      first === step ? [[rest, secret]] : []
    )
  if (Array.isArray(value)) return value.map((item, index) => replaced(item, inside(index)))
  return isObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, replaced(member, inside(name))])
      )
    : value
}

const isObject = (value: Json): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const objectOf = (value: Json): JsonObject => (isObject(value) ? value : {})

const partAt = (value: Json, path: Path): Json | undefined =>
  path.reduce((part: Json | undefined, step) => {
    if (Array.isArray(part) && typeof step === "number") return part[step]
    return part !== undefined && isObject(part) && typeof step === "string" && Object.hasOwn(part, step)
      ? part[step]
      : undefined
  }, value)

/** The params as they are shown, and the secrets that are taken out. */
export const hide = (
  params: JsonObject,
  paths: ReadonlyArray<Path>
): { readonly shown: JsonObject; readonly secrets: ReadonlyArray<Secret> } => {
  const secrets = paths.flatMap((path): ReadonlyArray<Secret> => {
    const value = partAt(params, path)
    return value === undefined ? [] : [[path, value]]
  })
  const masks = secrets.map(([path]): Secret => [path, hidden])
  return { shown: objectOf(replaced(params, masks)), secrets }
}

/** The params as the work gets them. */
export const reveal = (shown: JsonObject, secrets: ReadonlyArray<Secret>): JsonObject =>
  objectOf(replaced(shown, secrets))

/** Of params that were taken from an answer: what is hidden there, and is to be filled in again. */
export const hiddenIn = (params: JsonObject, secrets: ReadonlyArray<Secret>): ReadonlyArray<Secret> =>
  secrets.filter(([path]) => partAt(params, path) === hidden)

const isWithin = (one: Path, other: Path): boolean => isSame(one, other.slice(0, one.length))

/**
 * The secrets of new work, with who gave them: those that were filled in, or hold such a one, are of who gave it first.
 * What several have given together is nobody's.
 */
export const withGivers = (
  secrets: ReadonlyArray<Secret>,
  { filledIn, giver }: { readonly filledIn: ReadonlyArray<Secret>; readonly giver: ApiKeyId | null }
): ReadonlyArray<Secret> =>
  secrets.map(([path, value]): Secret => {
    const related = filledIn.filter(([other]) => isWithin(path, other) || isWithin(other, path))
    const [first = giver, ...others] = new Set(related.map(([, , givenBy = null]) => givenBy))
    return [path, value, others.length === 0 ? first : null]
  })

/** A secret that says nothing but that it is one, as answers show it: it was copied from there. */
export const copiedFrom = (secrets: ReadonlyArray<Secret>): Path | undefined =>
  secrets.find(([, value]) => value === hidden)?.[0]

/** Paths without repetition. */
export const distinct = (paths: ReadonlyArray<Path>): ReadonlyArray<Path> =>
  paths.filter((path, index) => paths.findIndex((other) => isSame(path, other)) === index)
