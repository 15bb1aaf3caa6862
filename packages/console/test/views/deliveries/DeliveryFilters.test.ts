import { assert, describe, it } from "vitest"
import { queryOf } from "../../../src/views/deliveries/DeliveryFilters.ts"

/** As it is sent. */
const sent = (filters: Parameters<typeof queryOf>[0]): object => JSON.parse(JSON.stringify(queryOf(filters)))

describe("the filters of deliveries", () => {
  it("ask for what the address says", () => {
    const from = "2026-11-19T00:40:00.000Z"

    assert.deepStrictEqual(
      sent({
        state: "waiting",
        type: "execution.failed",
        answer: "none",
        key: "01a1",
        cause: "dns",
        origin: "https://hooks.example.com",
        q: "hook",
        from
      }),
      {
        status: "pending",
        type: "execution.failed",
        answer: "none",
        cause: "dns",
        key_id: "01a1",
        url_origin: "https://hooks.example.com",
        q: "hook",
        from
      }
    )
  })

  it("leave out what is no filter, as an address written by hand may have it", () => {
    assert.deepStrictEqual(
      sent({
        state: "gone",
        type: "execution.vanished",
        answer: "6xx",
        cause: "gremlins",
        from: "soon",
        to: "late"
      }),
      {}
    )
  })
})
