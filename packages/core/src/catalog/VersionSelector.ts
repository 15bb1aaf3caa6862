/** How a caller says which version of a task is meant. */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { TaskVersionId } from "../shared/Ids.ts"

/** A name that an operator gives to one version of a task and may move to another. */
export const TagName = Schema.String.check(
  Schema.isPattern(/^[A-Za-z0-9._-]{1,64}$/u, {
    expected: "1 to 64 letters, digits, dots, underscores or dashes"
  })
)
export type TagName = typeof TagName.Type

/** A version's number, counted from 1 within its task. */
export const VersionNumber = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 2 ** 31 - 1 }))

const namePattern =
  /^(?:current|tag:[A-Za-z0-9._-]{1,64}|[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})$/u

/** The `version` of a request: `current`, `tag:<name>` or a version's UUID. */
export const VersionName = Schema.String.check(
  Schema.isPattern(namePattern, { expected: '"current", "tag:<name>" or a version UUID' })
).pipe(
  Schema.decodeTo(
    Schema.Union([
      Schema.TaggedStruct("Current", {}),
      Schema.TaggedStruct("ByTag", { name: TagName }),
      Schema.TaggedStruct("ById", { id: TaskVersionId })
    ]),
    SchemaTransformation.transform({
      decode: (text) => {
        if (text === "current") return { _tag: "Current" } as const
        return text.startsWith(tagMarker)
          ? ({ _tag: "ByTag", name: text.slice(tagMarker.length) } as const)
          : ({ _tag: "ById", id: text } as const)
      },
      encode: (name) => {
        switch (name._tag) {
          case "Current":
            return "current"
          case "ByTag":
            return tagMarker + name.name
          case "ById":
            return name.id
        }
      }
    })
  )
)
export type VersionName = typeof VersionName.Type

const tagMarker = "tag:"

/** The one version that is meant. */
export type VersionSelector = VersionName | { readonly _tag: "ByNumber"; readonly number: number }

/** If a request names a version in several ways, the first one given wins: its id, its number, `version`. */
export const selectVersion = (request: {
  readonly taskVersionId?: TaskVersionId | undefined
  readonly v?: number | undefined
  readonly version?: VersionName | undefined
}): VersionSelector => {
  const { taskVersionId, v, version } = request
  if (taskVersionId !== undefined) return { _tag: "ById", id: taskVersionId }
  if (v !== undefined) return { _tag: "ByNumber", number: v }
  return version ?? { _tag: "Current" }
}

/** A selector in words, for messages: `the current version`, `version 3`. */
export const describeSelector = (selector: VersionSelector): string => {
  switch (selector._tag) {
    case "Current":
      return "the current version"
    case "ByTag":
      return `tag ${selector.name}`
    case "ById":
      return `version ${selector.id}`
    case "ByNumber":
      return `version ${selector.number}`
  }
}
