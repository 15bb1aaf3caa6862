import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { isWhole, tries } from "./Extent.ts"
import { embeddedStrikes } from "./faults/EmbeddedStrikes.ts"
import { fleetStrikes } from "./faults/FleetStrikes.ts"
import { evidenceOf } from "./history/Fault.ts"
import { Verdicts } from "./Verdicts.ts"

/** Faults that are shown with all that is known of them. */
const shownMax = 5

describe("a service under load, whatever happens to it", () => {
  it.layer(Verdicts.layer, { excludeTestServices: true, timeout: isWhole ? tries * 1_800_000 : 600_000 })(
    (it) => {
      for (const { name } of [...fleetStrikes, ...embeddedStrikes]) {
        it.effect(`keeps all it acknowledged, in order and in time: ${name}`, () =>
          Effect.gen(function* () {
            const verdict = (yield* Verdicts).get(name)

            assert.isDefined(verdict, "there is no verdict")
            const evidence = verdict.faults
              .slice(0, shownMax)
              .map((fault) => evidenceOf(verdict.history, fault))
            assert.deepStrictEqual(evidence, [], evidence.join("\n"))
            assert.isDefined(verdict.recovery.create, "no create was acknowledged after it")
          })
        )
      }
    }
  )
})
