/** Runners by the SDK for Python are killed, and so is the service that they work for. */
import { mkdtemp } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { temporaryDirectory } from "../RunhookProcess.ts"
import { moreAcknowledged } from "./Campaign.ts"
import { seed } from "./Extent.ts"
import { judge } from "./history/Checker.ts"
import { evidenceOf } from "./history/Fault.ts"
import { allOf, byExecution } from "./history/History.ts"
import { beginLoad } from "./load/Load.ts"
import { hasPython, runPython } from "./load/PythonRunners.ts"
import { embeddedServiceIn } from "./systems/EmbeddedService.ts"
import { adminKey, settings } from "./Verdicts.ts"

/** Faults that are shown with all that is known of them. */
const shownMax = 5

describe.runIf(hasPython)("runners in Python under load, whatever happens to them", () => {
  it.effect(
    "lose nothing and change nothing that another was given, when they and the service are killed",
    () =>
      Effect.gen(function* () {
        const service = embeddedServiceIn(yield* temporaryDirectory, settings)
        yield* Effect.addFinalizer(() => Effect.promise(service.killAll))
        const directory = yield* temporaryDirectory
        const history = yield* Effect.promise(async () => {
          await service.member.start()
          const receiver = await mkdtemp(join(directory, "receiver"))
          await using load = await beginLoad({
            service,
            adminKey,
            directory: receiver,
            seed,
            work: runPython
          })
          await moreAcknowledged(load)
          const from = load.now()
          await service.member.kill()
          await service.member.start()
          const until = load.now()
          await moreAcknowledged(load)
          await load.calmDown()
          return [...(await load.settle()), ...service.absences, { is: "struck", from, until } as const]
        })

        const faults = judge(history).slice(0, shownMax)
        assert.deepStrictEqual(
          faults.map((fault) => evidenceOf(history, fault)),
          []
        )
        // Somebody else, or a later life, went on with what a killed one had.
        const epochs = [...byExecution(allOf(history, "claimed")).values()].map(
          (claims) => new Set(claims.map(({ epoch }) => epoch)).size
        )
        assert.isAbove(Math.max(...epochs), 1)
      }).pipe(Effect.scoped),
    { timeout: 600_000 }
  )
})
