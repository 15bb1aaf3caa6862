/** A wire to a service that can be cut and mended, as networks are: a TCP port that leads to another. */
import { connect, createServer, type Socket } from "node:net"
import { pipeline } from "node:stream"
import { listen } from "./Listening.ts"

export interface Wire extends AsyncDisposable {
  readonly url: string
  /** Breaks what is under way, and refuses everything from now on. */
  readonly cut: () => void
  /** Leads to the service again, or to another. */
  readonly mend: (to?: string) => void
  readonly close: () => Promise<void>
}

export const wireTo = async (service: string): Promise<Wire> => {
  const sockets = new Set<Socket>()
  let target: string | undefined = service
  const server = createServer((inner) => {
    if (target === undefined) return void inner.destroy()
    const outer = connect(Number(new URL(target).port), "127.0.0.1")
    for (const socket of [inner, outer]) sockets.add(socket.on("close", () => sockets.delete(socket)))
    pipeline(inner, outer, inner, () => {})
  })
  const breakAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  const listening = await listen(server)
  const close = async () => {
    breakAll()
    await listening.close()
  }
  return {
    url: listening.origin,
    cut: () => {
      target = undefined
      breakAll()
    },
    mend: (to = service) => {
      target = to
    },
    close,
    [Symbol.asyncDispose]: close
  }
}
