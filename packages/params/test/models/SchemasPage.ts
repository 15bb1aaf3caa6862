/** What docs/agents/schemas.md shows: programs, tables of models and values, warnings and refusals. */
import { readFileSync } from "node:fs"
import type { Json, JsonObject } from "@runhook/core/shared/json/Json"

const page = readFileSync(new URL("../../../../docs/agents/schemas.md", import.meta.url), "utf8")

const sectionOf = (heading: string): string =>
  new RegExp(`^## ${heading}\\n([^]*?)(?=^## |$(?![^]))`, "m").exec(page)?.[1] ?? ""

/** The blocks of code in a language. */
export const blocksOf = (language: string): ReadonlyArray<string> =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, "gm"))].map(([, code = ""]) => code)

const rowsOf = (text: string): ReadonlyArray<ReadonlyArray<string>> =>
  [...text.matchAll(/^\| (.*) \|$/gm)].map(([, row = ""]) => row.split(" | ").map((cell) => cell.trim()))

const codeIn = (text = ""): ReadonlyArray<string> =>
  [...text.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code)

export interface FieldRow {
  readonly meaning: string
  /** A member of `z.object`, as the page has it. */
  readonly zod: string | undefined
  /** A field of a `BaseModel`, as the page has it. */
  readonly pydantic: string | undefined
  readonly taken: ReadonlyArray<JsonObject>
  readonly refused: ReadonlyArray<JsonObject>
}

const valuesIn = (cell: string | undefined): ReadonlyArray<JsonObject> =>
  codeIn(cell).map((text) => JSON.parse(text))

export const fieldRows: ReadonlyArray<FieldRow> = rowsOf(sectionOf("Both, field by field"))
  .slice(1)
  .map(([meaning = "", zod, pydantic, taken, refused]) => ({
    meaning,
    zod: codeIn(zod)[0],
    pydantic: codeIn(pydantic)[0],
    taken: valuesIn(taken),
    refused: valuesIn(refused)
  }))

export interface RefusedRow {
  /** An expression of zod, or what is behind `field: ` in a `BaseModel`; the first code of the cell. */
  readonly refused: string
  readonly reason: string
  /** The same, or prose. */
  readonly instead: ReadonlyArray<string>
}

const [refusals = "", unwritable = ""] = sectionOf("What is refused, and what to write instead").split(
  /^Some types zod itself/m
)

export const refusedRows: ReadonlyArray<RefusedRow> = rowsOf(refusals)
  .slice(1)
  .map(([refused, reason = "", instead]) => ({
    refused: codeIn(refused)[0] ?? "",
    reason,
    instead: codeIn(instead)
  }))

/** What zod does not write as JSON Schema, and what to write. */
export const unwritableRows: ReadonlyArray<RefusedRow> = rowsOf(unwritable)
  .slice(1)
  .map(([refused, instead]) => ({
    refused: codeIn(refused)[0] ?? "",
    reason: "cannot be represented in JSON Schema",
    instead: codeIn(instead)
  }))

const warnings = sectionOf("Warnings")

export const shownWarning: Json = JSON.parse(/```json\n([^]*?)```/.exec(warnings)?.[1] ?? "null")

/** Expressions of zod whose formats nothing checks. */
export const unknownFormats = codeIn(warnings.replace(/^```[^]*?^```/gm, "")).filter((code) =>
  code.startsWith("z.")
)

export const checkedFormats = codeIn(/These formats are checked: (.*?)\./.exec(warnings)?.[1])
