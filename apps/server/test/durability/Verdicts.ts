/** What came of every fault: both kinds of a service are struck, and the history of each is judged. */
import { mkdtemp } from "node:fs/promises"
import { join } from "node:path"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { temporaryDirectory } from "../RunhookProcess.ts"
import { campaign, type Verdict } from "./Campaign.ts"
import { isWhole } from "./Extent.ts"
import { embeddedStrikes } from "./faults/EmbeddedStrikes.ts"
import { fleetStrikes } from "./faults/FleetStrikes.ts"
import { embeddedServiceIn } from "./systems/EmbeddedService.ts"
import { fleetOf } from "./systems/Fleet.ts"
import { postgres as startedPostgres } from "./systems/Postgres.ts"
import { rowOf, tableOf } from "./Table.ts"

export const adminKey = "the-admin-key-of-the-durability-test"

/** All other settings have their defaults. */
export const settings = {
  RUNHOOK_ADMIN_KEY: adminKey,
  RUNHOOK_SECRET_KEY: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
  RUNHOOK_CALLBACK_ALLOW: "127.0.0.0/8"
}

/** Makes a new directory for each receiver. */
const directories = Effect.map(temporaryDirectory, (directory) => () => mkdtemp(join(directory, "receiver")))

const tell = (verdict: Verdict) => console.info(rowOf(verdict))

const ofEmbeddedService = Effect.gen(function* () {
  const service = embeddedServiceIn(yield* temporaryDirectory, settings)
  yield* Effect.addFinalizer(() => Effect.promise(service.killAll))
  yield* Effect.promise(() => service.member.start())
  const directory = yield* directories
  const { absences } = service
  return yield* Effect.promise(() =>
    campaign({ service, parts: service, strikes: embeddedStrikes, absences, adminKey, directory, tell })
  )
}).pipe(Effect.scoped)

const ofFleet = Effect.gen(function* () {
  const postgres = yield* startedPostgres
  const fleet = fleetOf({
    ...settings,
    RUNHOOK_DATABASE_URL: postgres.url,
    RUNHOOK_DATA_DIR: yield* temporaryDirectory
  })
  yield* Effect.addFinalizer(() => Effect.promise(fleet.kill))
  yield* Effect.promise(fleet.start)
  const directory = yield* directories
  const { absences } = fleet
  return yield* Effect.promise(() =>
    campaign({
      service: fleet,
      parts: { fleet, postgres },
      strikes: fleetStrikes,
      absences,
      adminKey,
      directory,
      tell
    })
  )
}).pipe(Effect.scoped)

export class Verdicts extends Context.Service<Verdicts, ReadonlyMap<string, Verdict>>()(
  "@runhook/server/test/Verdicts"
) {
  static readonly layer = Layer.effect(
    Verdicts,
    Effect.gen(function* () {
      const struck = [
        ...(fleetStrikes.length > 0 ? [ofFleet] : []),
        ...(embeddedStrikes.length > 0 ? [ofEmbeddedService] : [])
      ]
      // In parallel where the figures are not printed: most of either is waiting.
      const verdicts = (yield* Effect.all(struck, { concurrency: isWhole ? 1 : 2 })).flat()
      console.info(tableOf(verdicts))
      return new Map(verdicts.map((verdict) => [verdict.name, verdict]))
    })
  )
}
