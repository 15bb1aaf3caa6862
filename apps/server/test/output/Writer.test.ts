import { readdirSync, readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { factsIn } from "../../src/output/Table.ts"
import { print, printError, visible, visibleLine } from "../../src/output/Writer.ts"

const forged = "\u001b]0;PWN\u0007\u001b[31m\u007f\u009b\u202e\u2066\rFAKE"
const dangerous = /(?!\n)[\p{Cc}\u202A-\u202E\u2066-\u2069]/u

describe("what commands print", () => {
  it("has no character that speaks to the terminal", () => {
    assert.strictEqual(
      visible(`${forged}\nnext`),
      "\\u001b]0;PWN\\u0007\\u001b[31m\\u007f\\u009b\\u202e\\u2066\\u000dFAKE\nnext"
    )
    assert.notMatch(visible(forged), dangerous)
  })

  it.effect("is clean on both outputs", () =>
    Effect.gen(function* () {
      const written: Array<string> = []
      const log = (text: string) => void written.push(text)

      yield* Effect.andThen(print(forged), printError(forged)).pipe(
        Effect.provideService(Console.Console, { ...globalThis.console, log, error: log })
      )

      assert.deepStrictEqual(written, [visible(forged), visible(forged)])
    })
  )

  it("is JSON of the same value", () => {
    assert.deepStrictEqual(JSON.parse(visible(JSON.stringify({ [forged]: forged }))), { [forged]: forged })
  })

  it("has no forged line in the message of somebody else", () => {
    assert.strictEqual(visibleLine("failed\r\n  FAKE"), "failed FAKE")
  })

  it("has clean names beside clean values", () => {
    assert.notMatch(factsIn({ params: { [forged]: forged } }, { now: 0, width: 80 }), dangerous)
  })

  it("is written by the writer alone", () => {
    const folders = ["commands", "backup", "storage", "process", "output", "logging"]
    const files = folders.flatMap((folder) => {
      const path = new URL(`../../src/${folder}/`, import.meta.url)
      const names = readdirSync(path, { recursive: true, encoding: "utf8" })
      return names.filter((name) => name.endsWith(".ts")).map((name) => new URL(name, path))
    })
    const others = files.filter(
      (file) => !file.pathname.endsWith("/Writer.ts") && /\bConsole\.\w+\(/.test(readFileSync(file, "utf8"))
    )

    assert.deepStrictEqual(others, [])
  })
})
