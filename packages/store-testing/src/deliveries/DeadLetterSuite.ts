/** What every DeliveryStore tells of what was given up. */
import { assert } from "@effect/vitest"
import type { DeliveryCause } from "@runhook/core/deliveries/steps/AttemptCause"
import { DeliveryStore } from "@runhook/core/deliveries/DeliveryStore"
import type * as Layer from "effect/Layer"
import { second, type Stores } from "../Fixtures.ts"
import { tried } from "./DeliveryCauseFixtures.ts"
import { makeSender } from "./DeliveryFixtures.ts"
import { suiteOf } from "../SuiteOf.ts"

export const suite = (name: string, layer: Layer.Layer<Stores, unknown>) =>
  suiteOf("DeliveryStore dead letters", { layer, name }, (it) => {
    it.test("groups the account's dead deliveries by receiver and cause", function* () {
      const store = yield* DeliveryStore
      const sender = yield* makeSender()
      const two = "https://two.example/hook"
      yield* tried(sender, [
        { end: 401, isLast: true },
        { end: "dns", isLast: true, url: two },
        { end: 403, isLast: true },
        { end: 500, isLast: true },
        { end: 401 },
        { end: 200 }
      ])
      const groupOf = (
        origin: string,
        cause: DeliveryCause,
        [oldest, newest]: readonly [number, number],
        dead: number
      ) => ({
        origin,
        cause,
        dead,
        isMore: false,
        oldestAt: second(oldest),
        newestAt: second(newest),
        types: new Map([["execution.completed", dead] as const])
      })

      assert.deepStrictEqual(yield* store.deadLetters(sender.accountId), {
        groups: [
          groupOf("https://one.example", "server_error", [3, 3], 1),
          groupOf("https://one.example", "unauthorized", [0, 2], 2),
          groupOf("https://two.example", "dns", [1, 1], 1)
        ],
        isMore: false
      })
      assert.deepStrictEqual(yield* store.deadLetters((yield* makeSender()).accountId), {
        groups: [],
        isMore: false
      })
    })

    it.test("counts the dead of a group up to a limit, and says that there are more", function* () {
      const store = yield* DeliveryStore
      const sender = yield* makeSender()
      yield* tried(
        sender,
        Array.from({ length: 501 }, () => ({ end: 500, isLast: true }) as const)
      )

      const { groups } = yield* store.deadLetters(sender.accountId)

      assert.deepStrictEqual(
        groups.map(({ dead, isMore, newestAt, oldestAt, types }) => ({
          dead,
          isMore,
          newestAt,
          oldestAt,
          types
        })),
        [
          {
            dead: 500,
            isMore: true,
            newestAt: second(500),
            oldestAt: second(0),
            types: new Map([["execution.completed", 500] as const])
          }
        ]
      )
    })
  })
