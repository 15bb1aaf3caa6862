/** Faults by which a row would be taken for what it is not. */
import type { Fault, NamedTest } from "../Fault.ts"

const inRows = (file: string): string => `packages/store-pg/src/rows/${file}.ts`

const reader = (title: string): NamedTest => ({
  file: "packages/store-pg/test/rows/RowReader.test.ts",
  title
})

export const reading: ReadonlyArray<Fault> = [
  {
    name: "row-unknown-word",
    idea: "a status that this version does not know is taken for one of its own",
    file: inRows("Plain"),
    before: "literals.has(value)",
    after: 'typeof value === "string"',
    test: reader("is refused for a word that this version does not know")
  },
  {
    name: "row-later-field",
    idea: "what a later version has written beside a field reaches callers of this one",
    file: inRows("Plain"),
    before: "Object.keys(value).length === found",
    after: "true",
    test: reader("has nothing in it that a later version may have written beside what this one knows")
  },
  {
    name: "row-other-columns",
    idea: "a statement lists other columns than its rows are read from",
    file: inRows("Rows"),
    before: "width === names.length",
    after: "width > 0",
    test: reader("is a defect when its statement lists other columns than its table")
  }
]
