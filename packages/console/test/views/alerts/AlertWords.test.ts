import { AlertKind } from "@runhook/core/alerts/Alert"
import { assert, describe, it } from "vitest"
import { alertKinds, kindsWords, kindWords } from "../../../src/views/alerts/AlertWords.ts"

describe("the kinds of alerts", () => {
  it("are those of the service, each with words", () => {
    assert.sameMembers([...alertKinds], [...AlertKind.literals])
    for (const kind of alertKinds) assert.notStrictEqual(kindWords(kind), kind)
  })

  it("are told shortly where that is enough, and a later one by its name", () => {
    assert.strictEqual(kindsWords(alertKinds), "All alerts")
    assert.strictEqual(kindsWords(["dead_letters", "moon_phase"]), "New dead letters; moon_phase")
  })
})
