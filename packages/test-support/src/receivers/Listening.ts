/** Servers of tests, which listen on a free port of loopback. */
import { once } from "node:events"
import type { Server, Socket } from "node:net"
import * as Effect from "effect/Effect"

export interface Listening extends AsyncDisposable {
  readonly port: number
  readonly origin: string
  /** Ends all its connections too. */
  readonly close: () => Promise<void>
}

/** The server listens until it is closed, or disposed of. */
export const listen = async (server: Server): Promise<Listening> => {
  const sockets = new Set<Socket>()
  server.on("connection", (socket: Socket) => sockets.add(socket))
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("The server has no port")
  const close = async () => {
    const closed = server.listening ? once(server, "close") : undefined
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  const origin = `http://127.0.0.1:${address.port}`
  return { port: address.port, origin, close, [Symbol.asyncDispose]: close }
}

/** Something that ends with the scope. */
export const scoped = <A extends AsyncDisposable>(start: () => Promise<A>) =>
  Effect.acquireRelease(Effect.promise(start), (started) =>
    Effect.promise(() => started[Symbol.asyncDispose]())
  )

/** The port of a server that listens until the scope ends. */
export const listening = (server: Server) =>
  Effect.map(
    scoped(() => listen(server)),
    ({ port }) => port
  )
