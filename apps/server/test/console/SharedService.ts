/** One service for all suites of a process that need no settings of their own, which ends with the process. */
import { rmSync } from "node:fs"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { developmentServer, type Running } from "../RunhookProcess.ts"

export const adminKey = "rhadmin_the_key_of_whoever_runs_these_tests_0123456789"

let started: Promise<Running> | undefined

export const sharedService = (): Promise<Running> => (started ??= start())

const start = async (): Promise<Running> => {
  const server = await Effect.runPromise(
    Scope.provide(developmentServer({ RUNHOOK_ADMIN_KEY: adminKey }), Scope.makeUnsafe())
  )
  const end = () => {
    server.signal("SIGKILL")
    rmSync(server.dataDir, { recursive: true, force: true, maxRetries: 10 })
  }
  process.once("exit", end)
  // So a worker is ended when its last file is done.
  process.once("SIGTERM", () => {
    end()
    process.kill(process.pid, "SIGTERM")
  })
  return server
}
