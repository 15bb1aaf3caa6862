/** A replay that was a mistake is stopped. No dispatcher runs meanwhile, so that it is still under way. */
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import { type Environment, runningServer, temporaryDirectory } from "../RunhookProcess.ts"
import { testPostgres } from "../TestPostgres.ts"
import { checkView } from "./CheckView.ts"
import { consoleSuite, patience } from "./ConsoleSuite.ts"
import { deadLetters } from "./Dead.ts"
import { aReceiver } from "./Receiver.ts"

describe("a replay under way", () => {
  let shared: Environment = {}
  const { accountId, admin, openConsole } = consoleSuite(
    Effect.gen(function* () {
      const { url } = yield* Effect.orDie(testPostgres)
      shared = {
        RUNHOOK_DATABASE_URL: url,
        RUNHOOK_SECRET_KEY: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        RUNHOOK_STORE: "postgres"
      }
      return { ...shared, RUNHOOK_ROLES: "api" }
    })
  )

  /** Works while there is a dispatcher, which is gone after it. */
  const withDispatcher = <A>(work: () => Promise<A>): Promise<A> =>
    Effect.gen(function* () {
      const dispatcher = yield* runningServer({
        ...shared,
        RUNHOOK_MODE: "development",
        RUNHOOK_DATA_DIR: yield* temporaryDirectory,
        RUNHOOK_DEMO: "off",
        RUNHOOK_ROLES: "dispatcher"
      })
      const done = yield* Effect.promise(work)
      dispatcher.signal("SIGTERM")
      yield* dispatcher.ended
      return done
    }).pipe(Effect.scoped, Effect.runPromise)

  it(
    "ends when somebody presses Stop, and replays nothing more",
    async () => {
      const receiver = await aReceiver(401)
      try {
        const account = admin().account(await accountId())
        const { id: keyId } = await account.keys.create({ name: "Warehouse ERP" })
        const [one = ""] = await withDispatcher(() =>
          deadLetters(account, { url: receiver.url, keyId, count: 2 })
        )
        const page = await openConsole("/dead-letters")
        await page.getByRole("button", { name: /^Replay 2/ }).click()
        await page.getByRole("dialog").getByRole("button", { name: "Replay 2", exact: true }).click()
        await page.getByRole("heading", { name: /^Replaying: / }).waitFor()
        await checkView(page, "dead-letters-replaying")

        await page.getByRole("button", { name: "Stop" }).click()
        await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" })
        await page.getByRole("row", { name: /Stopped/ }).waitFor()

        const [job] = (await account.replays.list().page()).data
        assert.deepStrictEqual([job?.status, job?.replayed], ["cancelled", 0])
        await checkView(page, "dead-letters-stopped")
        await page.getByRole("link", { name: /refuses the signature/ }).click()
        await page.getByRole("heading", { level: 2, name: /^Stopped: / }).waitFor()
        assert.strictEqual((await account.deliveries.get(one)).state, "dead")
      } finally {
        receiver.close()
      }
    },
    patience
  )
})
