import { assert, describe, it } from "vitest"
import { Followed } from "../../src/data/Followed.ts"

describe("a followed value", () => {
  it("tells those that follow it of every other value, until they stop", () => {
    const zone = new Followed("local")
    const seen: Array<string> = []
    const stop = zone.follow(() => seen.push(zone.value))

    zone.value = "utc"
    zone.value = "utc"
    zone.value = "local"
    stop()
    zone.value = "utc"

    assert.deepStrictEqual(seen, ["utc", "local"])
  })

  it("tells all others also while one of them stops", () => {
    const count = new Followed(0)
    const seen: Array<string> = []
    const stop = count.follow(() => {
      seen.push("first")
      stop()
    })
    count.follow(() => seen.push("second"))

    count.value = 1
    count.value = 2

    assert.deepStrictEqual(seen, ["first", "second", "second"])
  })
})
