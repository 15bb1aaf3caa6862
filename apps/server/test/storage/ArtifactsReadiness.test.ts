import { existsSync } from "node:fs"
import { rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { request } from "../Http.ts"
import { developmentServer } from "../RunhookProcess.ts"

const look = (baseUrl: string) =>
  Effect.flatMap(request(`${baseUrl}/readyz`), (answer) =>
    Effect.promise(async () => ({ status: answer.status, body: await answer.text() }))
  )

describe("the readiness of a server", () => {
  it.live("makes a folder of artifacts again that is gone, and names one that cannot be made", () =>
    Effect.gen(function* () {
      const { baseUrl, dataDir, log } = yield* developmentServer()
      const artifacts = join(dataDir, "artifacts")

      yield* Effect.promise(() => rm(artifacts, { recursive: true }))
      const removed = yield* look(baseUrl)
      const isMade = existsSync(artifacts)
      yield* Effect.promise(() => rm(artifacts, { recursive: true }))
      yield* Effect.promise(() => writeFile(artifacts, "a file"))
      const [blocked, still] = [yield* look(baseUrl), yield* look(baseUrl)]
      yield* Effect.promise(() => rm(artifacts))
      const mended = yield* look(baseUrl)

      assert.deepStrictEqual([removed.status, isMade], [200, true])
      assert.deepStrictEqual([blocked.status, still.status, mended.status], [503, 503, 200])
      assert.include(blocked.body, '"details":{"missing":["artifacts"]}')
      assert.lengthOf(log().match(/Files are neither taken nor given/g) ?? [], 1)
    })
  )

  it.live("names artifacts for which there is no room, and goes on", () =>
    Effect.gen(function* () {
      const { baseUrl } = yield* developmentServer({ RUNHOOK_ARTIFACTS_FREE_SPACE: "1000TiB" })

      const { body, status } = yield* look(baseUrl)

      assert.strictEqual(status, 200)
      assert.include(body, '"limited":["artifacts"]')
    })
  )
})
