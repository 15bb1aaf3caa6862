/** The way to the service, which a test can close: a TCP port that leads to another. */
import { connect, createServer, type Socket } from "node:net"
import { pipeline } from "node:stream"
import { listen } from "@runhook/test-support/receivers/Listening"

export interface Gate extends AsyncDisposable {
  readonly url: string
  /** Cuts what is under way, and everything from now on. */
  close(): void
  /** Opens again, to this service. */
  open(to: string): void
}

export const openGate = async (to: string): Promise<Gate> => {
  const sockets = new Set<Socket>()
  let target: string | undefined = to
  const server = createServer((inner) => {
    if (target === undefined) return void inner.destroy()
    const outer = connect(Number(new URL(target).port), "127.0.0.1")
    for (const socket of [inner, outer]) sockets.add(socket.on("close", () => sockets.delete(socket)))
    pipeline(inner, outer, inner, () => {})
  })
  const listening = await listen(server)
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    url: listening.origin,
    close: () => {
      target = undefined
      cut()
    },
    open: (next) => {
      target = next
    },
    async [Symbol.asyncDispose]() {
      cut()
      await listening[Symbol.asyncDispose]()
    }
  }
}
