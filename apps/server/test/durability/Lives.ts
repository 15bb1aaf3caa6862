/** One process of the service through many lives: killed without warning, and started again with the same settings. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { type Environment, runningServer } from "../RunhookProcess.ts"

export interface Lives {
  /** Where the present life listens; undefined while there is none. */
  url(): string | undefined
  start(): Promise<void>
  /** `kill -9`. */
  kill(): Promise<void>
}

export const livesOf = (settings: Environment): Lives => {
  let life: { readonly url: string; readonly scope: Scope.Closeable } | undefined
  return {
    url: () => life?.url,
    start: async () => {
      const scope = await Effect.runPromise(Scope.make())
      const { baseUrl } = await Effect.runPromise(Scope.provide(runningServer(settings), scope))
      life = { url: baseUrl, scope }
    },
    kill: async () => {
      const ended = life
      life = undefined
      if (ended !== undefined) await Effect.runPromise(Scope.close(ended.scope, Exit.void))
    }
  }
}
