/** Connects to addresses. No name is looked up here. */
import { connect, type Socket } from "node:net"
import type * as tls from "node:tls"
import * as Effect from "effect/Effect"
import { buildConnector } from "undici"

/** What undici wants to connect to. */
export type Target = buildConnector.Options

export interface Dialled {
  readonly socket: Socket
  /** The peer's address. */
  readonly address: string
}

/** Connects to one of the target's addresses. */
export type Dial = (target: Target, address: string) => Effect.Effect<Dialled, Error>

/** Speaks TLS over a connection, and verifies that the target answers. */
export type Secure = (target: Target, socket: Socket) => Effect.Effect<Socket, Error>

export const dialDirectly: Dial = (target, address) =>
  Effect.callback((resume) => {
    const socket = connect({ host: address, port: portOf(target), noDelay: true, keepAlive: true })
    socket
      .once("connect", () => resume(Effect.succeed({ socket, address: socket.remoteAddress ?? "" })))
      .once("error", (error) => resume(Effect.fail(error)))
    return Effect.sync(() => socket.destroy())
  })

/** Its sessions are remembered, so that the next handshake with a receiver is short. */
export const secureBy = (secureContext: tls.SecureContext): Secure => {
  // The caller decides how long it may take.
  const connector = buildConnector({ allowH2: false, secureContext, timeout: 0 })
  return (target, httpSocket) =>
    Effect.callback((resume) => {
      connector({ ...target, httpSocket }, (error, socket) =>
        resume(error === null ? Effect.succeed(socket) : Effect.fail(error))
      )
      return Effect.sync(() => httpSocket.destroy())
    })
}

export const portOf = ({ port, protocol }: Target): number => {
  if (port !== "") return Number(port)
  return protocol === "https:" ? 443 : 80
}
