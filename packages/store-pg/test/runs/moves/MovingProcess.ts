/**
 * A process of a service that ends one execution, for tests that kill it. It
 * says `read` when it has read and judged, and stores when it hears a line.
 *
 *     node MovingProcess.ts <database> <account> <execution> <epoch>
 */
import { AccountId, ExecutionId } from "@runhook/core/shared/Ids"
import { RunStore } from "@runhook/core/runs/RunStore"
import { second } from "@runhook/store-testing/Fixtures"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { layerProcess } from "../../ProcessLayer.ts"
import { done } from "./Done.ts"

const [url = "", accountId = "", id = "", epoch = ""] = process.argv.slice(2)

const toldToGoOn = Deferred.makeUnsafe<void>()
process.stdin.once("data", () => Deferred.doneUnsafe(toldToGoOn, Effect.void))

const say = (word: string) => Effect.sync(() => process.stdout.write(`${word}\n`))

await RunStore.use((runs) =>
  runs.finish({
    accountId: AccountId.make(accountId),
    id: ExecutionId.make(id),
    epoch: Number(epoch),
    at: second(3),
    ...done
  })
).pipe(
  Effect.provide(
    layerProcess(Redacted.make(url), {
      beforeStatement: (text) =>
        text.includes("store_moves(") ? Effect.andThen(say("read"), Deferred.await(toldToGoOn)) : Effect.void
    })
  ),
  Effect.runPromise
)
