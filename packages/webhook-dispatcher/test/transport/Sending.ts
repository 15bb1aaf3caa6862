/** Sends webhooks in tests, and sees what becomes of them on the way. */
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { createServer, type Socket } from "node:net"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Sender } from "../../src/Sender.ts"
import { layer } from "../../src/HttpSender.ts"
import { agentOnInternet, agentOnLoopback } from "./Network.ts"
import { listening } from "./Receiver.ts"

/** Where this machine may be reached. */
export const onLoopback = layer.pipe(Layer.provide(agentOnLoopback))

/** Where public addresses only may be reached. */
export const onInternet = layer.pipe(Layer.provide(agentOnInternet))

export const send = Effect.fnUntraced(function* (url: string) {
  const sender = yield* Sender
  return yield* sender.send({ url, headers: { "X-Webhook-Attempt": "1" }, body: `{"event":"é"}` })
})

/** The URL of a server that speaks by the byte, to each connection that asks something for the first time. */
export const speaking = Effect.fnUntraced(function* (answer: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on("error", () => undefined)
    socket.once("data", () => answer(socket))
  })
  return `http://127.0.0.1:${yield* listening(server)}/hook`
})

/** Waits until the client of this process has read some of the body of an answer. */
export const bodyBegun = Effect.callback<void>((resume) => {
  const channel = "undici:request:bodyChunkReceived"
  const listener = () => {
    unsubscribe(channel, listener)
    resume(Effect.void)
  }
  subscribe(channel, listener)
  return Effect.sync(() => unsubscribe(channel, listener))
})

/** Lets the sockets of this process do what they have to do. */
export const socketsTurn = Effect.promise(
  () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
)
