/** Callers of whose connections a test sees how they end. */
import { connect, type Socket } from "node:net"
import * as Effect from "effect/Effect"
import { eventually } from "./Http.ts"

export interface Caller {
  readonly socket: Socket
  /** Everything that came back. */
  readonly heard: () => string
  /** Waits for the end of the connection; `reset` when it was not a proper one. */
  readonly ended: Effect.Effect<string>
}

/** A caller with a connection of its own. */
export const makeCaller = (baseUrl: string) =>
  Effect.acquireRelease(
    Effect.callback<Caller>((resume) => {
      let text = ""
      let isReset = false
      const socket = connect(Number(new URL(baseUrl).port), "127.0.0.1")
      const closed = new Promise<string>((resolve) => {
        socket.once("close", () => resolve(isReset ? `reset after: ${text}` : text))
      })
      socket.setEncoding("utf8").on("data", (chunk: string) => (text += chunk))
      socket.on("error", () => (isReset = true))
      socket.once("connect", () =>
        resume(Effect.succeed({ socket, heard: () => text, ended: Effect.promise(() => closed) }))
      )
    }),
    ({ socket }) => Effect.sync(() => socket.destroy())
  )

/** Waits until so many polls have looked and wait. They look again every five seconds, a few at a time. */
export const parked = (baseUrl: string, polls: number) =>
  eventually(
    Effect.promise(() => fetch(`${baseUrl}/metrics`).then((answer) => answer.text())).pipe(
      Effect.map((text) => Number(/^runhook_polls_waiting (\d+)$/m.exec(text)?.[1]))
    ),
    (waiting) => waiting >= polls
  )
