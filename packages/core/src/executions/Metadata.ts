/** Free-form JSON that callers attach to an execution, and its keys that are reserved for the service. */
import { type JsonObject, KnownJsonObject } from "../shared/json/Json.ts"
import { jsonBytes } from "../shared/json/JsonBytes.ts"
import { issueCheck, type JsonIssue, storableIssue } from "../shared/json/JsonText.ts"
import { StoredJson, type StoredObject } from "../shared/json/StoredJson.ts"

/** Longest metadata, as bytes of its JSON in UTF-8. */
export const metadataBytesMax = 8_192

export const metadataKeysMax = 50

/** Longest value in code points: of a string itself, of the JSON of anything else. */
export const metadataValueLengthMax = 500

/** Keys with this prefix belong to runners and embedding hosts: callers cannot set them and never see them. */
const reservedKeyPrefix = "_service."

const isReserved = (key: string): boolean => key.startsWith(reservedKeyPrefix)

/** The rule that a caller's metadata breaks, or undefined. */
export const metadataIssue = (metadata: JsonObject): JsonIssue | undefined =>
  storableIssue(metadata) ?? sizeIssue(metadata) ?? firstEntryIssue(metadata)

const sizeIssue = (metadata: JsonObject): JsonIssue | undefined => {
  const bytes = jsonBytes(metadata)
  if (bytes > metadataBytesMax) {
    return { path: [], message: `must be at most ${metadataBytesMax} bytes of JSON, is ${bytes}` }
  }
  const keys = Object.keys(metadata).length
  return keys > metadataKeysMax
    ? { path: [], message: `must have at most ${metadataKeysMax} keys, has ${keys}` }
    : undefined
}

const firstEntryIssue = (metadata: JsonObject): JsonIssue | undefined => {
  for (const [key, value] of Object.entries(metadata)) {
    if (isReserved(key)) {
      return {
        path: [key],
        message: `the key ${JSON.stringify(key)} must not start with the reserved prefix "${reservedKeyPrefix}"`
      }
    }
    const text = typeof value === "string" ? value : JSON.stringify(value)
    // No text has more characters than UTF-16 code units.
    if (text.length <= metadataValueLengthMax) continue
    const length = [...text].length
    if (length > metadataValueLengthMax) {
      return {
        path: [key],
        message: `the value of ${JSON.stringify(key)} must be at most ${metadataValueLengthMax} characters, has ${length}`
      }
    }
  }
  return undefined
}

/** Metadata as a caller may give it. */
export const CallerMetadata = KnownJsonObject.check(
  issueCheck(metadataIssue, {
    description:
      `At most ${metadataBytesMax} bytes of JSON and ${metadataKeysMax} keys; ` +
      `each value at most ${metadataValueLengthMax} characters; no key starts with \`${reservedKeyPrefix}\`.`,
    toJsonSchema: () => ({ maxProperties: metadataKeysMax, propertyNames: { pattern: "^(?!_service\\.)" } })
  })
)

/**
 * Metadata as the outside sees it: without reserved keys. Most has none, which its
 * text shows: a key is spelled there literally, unless something other than this
 * service wrote the prefix with escapes.
 */
export const stripReserved = (metadata: StoredObject): StoredObject => {
  const { text } = metadata
  if (!text.includes(`"${reservedKeyPrefix}`) && !text.includes("\\u")) return metadata
  const entries = Object.entries(metadata.value)
  const shown = entries.filter(([key]) => !isReserved(key))
  return shown.length === entries.length ? metadata : StoredJson.of(Object.fromEntries(shown))
}
