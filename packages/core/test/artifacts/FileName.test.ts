import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import { FileName } from "../../src/artifacts/Artifact.ts"

const isFileName = Schema.is(FileName)
const { pattern } = Object(Schema.toJsonSchemaDocument(FileName).schema)

describe("a file name", () => {
  it.each([
    "a",
    "invoice.pdf",
    ".env",
    "..a",
    "a..",
    " a ",
    "日本 €.txt",
    "😀",
    "-rf",
    "con",
    "x".repeat(255)
  ])("may be %j", (name) => assert.isTrue(isFileName(name)))

  it.each([
    "",
    ".",
    "..",
    "...",
    " ",
    ". .",
    "a/b",
    "../a",
    "a\\b",
    "..\\a",
    "a\0",
    "a\n",
    "a\u0085",
    "a\u202Egpj.exe",
    "a\u2066b",
    "a\u200Fb",
    "a\u2028b",
    "a\uD83D",
    "x".repeat(256)
  ])("may not be %j", (name) => assert.isFalse(isFileName(name)))

  it("has the same rule in the documents, for names of whole characters", () => {
    const documented = new RegExp(pattern, "u")

    for (const name of [".", "..", " .", "a/b", "a\\b", "a\0", "a\u202Eb"]) assert.notMatch(name, documented)
    for (const name of ["a", ".env", "..a", "a b"]) assert.match(name, documented)
  })
})
