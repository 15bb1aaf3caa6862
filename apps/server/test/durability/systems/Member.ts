/** One process of the service through many lives, each with the same settings, and what is done to it. */
import { setTimeout as pause } from "node:timers/promises"
import type { Environment } from "@runhook/test-support/world/ServiceProcess"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { type Running, runningServer } from "../../RunhookProcess.ts"
import type { Absence } from "../history/History.ts"

export interface Member {
  /** Where the present life takes requests, as far as a balancer knows; undefined while there is none. */
  url(): string | undefined
  /** `more` is what this life alone is given. */
  start(more?: Environment): Promise<void>
  /** `kill -9`. */
  kill(): Promise<void>
  /** SIGTERM; a balancer notices a little later. */
  stop(): Promise<void>
  /** SIGSTOP. */
  freeze(): void
  /** SIGCONT. */
  thaw(): void
}

/** Milliseconds until a balancer sends no more requests to a process that is about to stop. */
const balancerNotices = 2_000

export const memberOf = (settings: Environment, absences: Array<Absence>): Member => {
  let life: { readonly running: Running; readonly scope: Scope.Closeable } | undefined
  let isBalanced = false
  let frozenAt = 0
  const close = async (ended: typeof life) => {
    if (ended !== undefined) await Effect.runPromise(Scope.close(ended.scope, Exit.void))
  }
  return {
    url: () => (isBalanced ? life?.running.baseUrl : undefined),
    start: async (more = {}) => {
      const scope = await Effect.runPromise(Scope.make())
      const server = runningServer({ ...settings, ...more })
      const running = await Effect.runPromise(Scope.provide(server, scope))
      life = { running, scope }
      isBalanced = true
    },
    kill: async () => {
      const ended = life
      life = undefined
      if (ended === undefined) return
      const url = ended.running.baseUrl
      const from = performance.now()
      absences.push({ is: "absence", life: url, how: "killed", from, until: Number.POSITIVE_INFINITY })
      await close(ended)
    },
    stop: async () => {
      const ended = life
      if (ended === undefined) return
      ended.running.signal("SIGTERM")
      await pause(balancerNotices)
      isBalanced = false
      const { code } = await Effect.runPromise(ended.running.ended)
      life = undefined
      await close(ended)
      if (code !== 0) throw new Error(`The process that was told to stop ended with ${code}`)
    },
    freeze: () => {
      frozenAt = performance.now()
      life?.running.signal("SIGSTOP")
    },
    thaw: () => {
      if (life === undefined) return
      life.running.signal("SIGCONT")
      const url = life.running.baseUrl
      absences.push({ is: "absence", life: url, how: "frozen", from: frozenAt, until: performance.now() })
    }
  }
}
