/**
 * The JSON-Schema-Test-Suite of json-schema.org, as of commit 44401e0c of 2026-08-22, in `official`: one file for each
 * draft, whose members are the suite's files.
 */
import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import type { Json, JsonObject } from "@runhook/core/shared/json/Json"
import * as Result from "effect/Result"
import { fullLimits } from "../src/CompiledSchema.ts"
import { isKnownFormat } from "../src/Formats.ts"
import { isObject } from "../src/JsonTree.ts"
import { check } from "../src/SchemaDocument.ts"
import { draft07 } from "./Validating.ts"

interface Group {
  readonly description: string
  readonly schema: Json
  readonly tests: ReadonlyArray<{
    readonly description: string
    readonly data: Json
    readonly valid: boolean
  }>
}

type Suite = { readonly [file: string]: ReadonlyArray<Group> }

const suiteOf = (draft: string): Suite =>
  JSON.parse(readFileSync(new URL(`./official/${draft}.json`, import.meta.url), "utf8"))

/** Why a schema is refused at its publication. */
const reasons: ReadonlyArray<readonly [reason: string, message: RegExp]> = [
  ["reference to another document", /^does not lead to a schema inside this document$/],
  ["$dynamicRef to an anchor that occurs more than once", /^leads to an anchor that occurs more than once$/],
  ["metaschema of one's own", /^is not draft 2020-12 or 07$/],
  ["property named __proto__", /^has a reserved name$/],
  ["default that its own schema refuses", /^does not satisfy its own schema/]
]

/** Formats are asserted, as the drafts allow: what these cases call an annotation is checked. */
const isAnnotationCase = (schema: JsonObject, description: string) =>
  description.endsWith("is only an annotation by default") && isKnownFormat(String(schema["format"]))

/** What comes of a group: its wrong verdicts, or why its schema is refused. */
const outcomeOf = (dialect: JsonObject, { description, schema, tests }: Group) => {
  const given: JsonObject = isObject(schema) ? schema : { allOf: [schema] }
  const document = { ...dialect, ...given }
  const checked = check(document)
  if (Result.isFailure(checked)) {
    const [issue] = checked.failure.issues
    const [reason = issue?.message ?? ""] =
      reasons.find(([, message]) => message.test(issue?.message ?? "")) ?? []
    return { refused: [reason], wrong: [] }
  }
  const wrong = tests.filter(({ data, description: title, valid }) => {
    const isValid = checked.success.compiled(structuredClone(data), fullLimits)?.length === 0
    return isValid !== (valid && !isAnnotationCase(given, title))
  })
  return { refused: [], wrong: wrong.map((test) => `${description}: ${test.description}`) }
}

const countsOf = (names: ReadonlyArray<string>): { readonly [name: string]: number } =>
  Object.fromEntries(
    Array.from(new Set(names), (name) => [name, names.filter((each) => each === name).length])
  )

const outcomesOf = (draft: string, dialect: JsonObject) =>
  Object.entries(suiteOf(draft)).flatMap(([file, groups]) =>
    groups.map((group) => ({ file, ...outcomeOf(dialect, group) }))
  )

describe.each([
  {
    draft: "draft2020-12",
    dialect: {},
    refused: {
      "reference to another document": 22,
      "$dynamicRef to an anchor that occurs more than once": 9,
      "metaschema of one's own": 2,
      "property named __proto__": 1,
      "default that its own schema refuses": 3
    },
    wrong: {
      // Draft 2020-12 has dependentRequired and dependentSchemas instead: publication warns.
      "optional/dependencies-compatibility.json": 14,
      // Labels with xn-- are not decoded.
      "optional/format/hostname.json": 23,
      // Formats that are not checked: publication warns.
      "optional/format/idn-email.json": 2,
      "optional/format/idn-hostname.json": 54
    }
  },
  {
    draft: "draft7",
    dialect: { $schema: draft07 },
    refused: {
      "reference to another document": 13,
      "property named __proto__": 1,
      "default that its own schema refuses": 3
    },
    wrong: {
      // What a text contains is not checked.
      "optional/content.json": 4,
      "optional/format/hostname.json": 23,
      "optional/format/idn-email.json": 2,
      "optional/format/idn-hostname.json": 54
    }
  }
])("The official suite of $draft", ({ dialect, draft, refused, wrong }) => {
  const outcomes = outcomesOf(draft, dialect)
  const isOptional = ({ file }: { readonly file: string }) => file.startsWith("optional/")
  const required = outcomes.filter((outcome) => !isOptional(outcome))

  it("is judged right wherever a schema can be published", () => {
    assert.deepStrictEqual(
      required.flatMap((outcome) => outcome.wrong),
      []
    )
  })

  it("is refused at publication for these reasons alone", () => {
    assert.deepStrictEqual(countsOf(required.flatMap((outcome) => outcome.refused)), refused)
  })

  it("is judged right in its optional parts, but for these", () => {
    assert.deepStrictEqual(
      countsOf(outcomes.filter(isOptional).flatMap((outcome) => outcome.wrong.map(() => outcome.file))),
      wrong
    )
  })
})
