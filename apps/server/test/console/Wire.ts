/** A wire to the service that can be cut and mended, as networks are. */
import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"

export interface Wire {
  readonly url: string
  /** Breaks every connection, and refuses others. */
  readonly cut: () => void
  readonly mend: () => void
  readonly close: () => void
}

export const wireTo = async (baseUrl: string): Promise<Wire> => {
  const target = new URL(baseUrl)
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((incoming) => {
    if (isCut) return void incoming.destroy()
    const outgoing = connect(Number(target.port), target.hostname)
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket)
      socket.on("close", () => sockets.delete(socket))
      socket.on("error", () => socket.destroy())
    }
    incoming.pipe(outgoing).pipe(incoming)
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  const breakAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${port}`,
    cut: () => {
      isCut = true
      breakAll()
    },
    mend: () => {
      isCut = false
    },
    close: () => {
      breakAll()
      server.close()
    }
  }
}
