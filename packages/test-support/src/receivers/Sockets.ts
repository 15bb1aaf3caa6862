/** What tests do to sockets: speak by the byte, and wait for what they do. */
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { createServer, type Socket } from "node:net"
import * as Effect from "effect/Effect"
import { listening } from "./Listening.ts"

/** The URL of a server that speaks by the byte, to each connection that asks something for the first time. */
export const speaking = Effect.fnUntraced(function* (answer: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on("error", () => undefined)
    socket.once("data", () => answer(socket))
  })
  return `http://127.0.0.1:${yield* listening(server)}/hook`
})

const happened = (channel: string) =>
  Effect.callback<void>((resume) => {
    const listener = () => {
      unsubscribe(channel, listener)
      resume(Effect.void)
    }
    subscribe(channel, listener)
    return Effect.sync(() => unsubscribe(channel, listener))
  })

/** Waits until the client of this process has read the headers of an answer. */
export const headRead = happened("undici:request:headers")

/** Waits until the client of this process has read some of the body of an answer. */
export const bodyBegun = happened("undici:request:bodyChunkReceived")

/** Lets the sockets of this process do what they have to do. */
export const socketsTurn = Effect.promise(
  () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
)
