import { OtherListeners } from "@runhook/store-pg/signals/OtherListeners"
import { assert, describe, it } from "vitest"

/** As it is when the database has said that nobody else listens. */
const makeEmptyAudience = () => {
  const audience = new OtherListeners()
  audience.counting()
  audience.counted(1)
  return audience
}

describe("OtherListeners", () => {
  it("is there until nobody else was counted, and while somebody is", () => {
    const audience = new OtherListeners()
    const before = audience.isEmpty
    audience.counting()
    audience.counted(2)

    assert.deepStrictEqual([before, audience.isEmpty, makeEmptyAudience().isEmpty], [false, false, true])
  })

  it("is there as soon as another is heard, which has been told nothing", () => {
    const audience = makeEmptyAudience()

    const wasToldNothing = [audience.heard(), audience.heard()]

    assert.deepStrictEqual([audience.isEmpty, wasToldNothing], [false, [true, false]])
  })

  it("is there when another came while it was counted", () => {
    const audience = makeEmptyAudience()
    audience.counting()
    audience.heard()

    audience.counted(1)

    assert.isFalse(audience.isEmpty)
  })

  it("may be there while nobody is heard", () => {
    const audience = makeEmptyAudience()

    audience.isDeaf()

    assert.isFalse(audience.isEmpty)
  })
})
