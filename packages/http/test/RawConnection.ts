/** Connections on which a test decides about every byte. */
import { connect, type Socket } from "node:net"
import * as Effect from "effect/Effect"

/** Everything that comes back until the other side ends the connection. */
export const exchange = (port: number, request: string): Effect.Effect<string> =>
  Effect.flatMap(open(port), (socket) => {
    socket.write(request)
    return received(socket)
  }).pipe(Effect.scoped)

export const open = (port: number) =>
  Effect.acquireRelease(
    Effect.callback<Socket>((resume) => {
      const socket = connect(port, "127.0.0.1", () => resume(Effect.succeed(socket)))
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )

/** The rest of what comes until the end. */
export const received = (socket: Socket): Effect.Effect<string> =>
  Effect.callback<string>((resume) => {
    let text = ""
    socket.setEncoding("utf8")
    socket.on("data", (chunk) => {
      text += chunk
    })
    socket.on("error", () => socket.destroy())
    socket.on("close", () => resume(Effect.succeed(text)))
  })

/** The first answer on a connection that stays open: its head and a body of the announced length. */
export const firstAnswer = (socket: Socket): Effect.Effect<string> =>
  Effect.callback<string>((resume) => {
    let text = ""
    const take = (chunk: Buffer) => {
      text += chunk.toString()
      const [head = "", body] = text.split("\r\n\r\n")
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
      if (body === undefined || body.length < length) return
      socket.off("data", take)
      resume(Effect.succeed(text))
    }
    socket.on("data", take)
  })
