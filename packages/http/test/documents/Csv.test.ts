import { assert, describe, it } from "@effect/vitest"
import { csvLine } from "../../src/documents/Csv.ts"

describe("a line of comma-separated values", () => {
  it.each([
    { values: ["plain", "", "büro"], line: "plain,,büro\r\n" },
    { values: ["a,b", 'say "so"'], line: '"a,b","say ""so"""\r\n' },
    { values: ["two\nlines", "two\r\nlines"], line: '"two\nlines","two\r\nlines"\r\n' },
    { values: ["=1+1", "+1", "-1", "@SUM(A1)"], line: "'=1+1,'+1,'-1,'@SUM(A1)\r\n" },
    { values: ["\uff1d1", "\uff0b1", "\uff0d1", "\uff20A"], line: "'\uff1d1,'\uff0b1,'\uff0d1,'\uff20A\r\n" },
    { values: ["\t=1", "\n=1"], line: "'\t=1,\"'\n=1\"\r\n" },
    { values: ["=A1,B1"], line: '"\'=A1,B1"\r\n' },
    { values: ["a=1"], line: "a=1\r\n" }
  ])("of $values is $line", ({ line, values }) => {
    assert.strictEqual(csvLine(values), line)
  })
})
