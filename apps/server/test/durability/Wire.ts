/** The wire to a database, on which a test can lose an answer. */
import { once } from "node:events"
import { connect, createServer, type Socket } from "node:net"
import * as Effect from "effect/Effect"

/**
 * A wire to the database that the URL names. `loseNext` cuts the connection
 * that next sends a statement with these words, when its answer comes: so it
 * was done, and who sent it does not know.
 */
export const makeWire = Effect.fnUntraced(function* (to: string) {
  const { hostname, port } = new URL(to)
  const name = decodeURIComponent(hostname)
  const number = Number(port || "5432")
  const place = name.startsWith("/") ? { path: `${name}/.s.PGSQL.${number}` } : { host: name, port: number }
  const sockets = new Set<Socket>()
  let words: string | undefined
  let losses = 0
  const server = createServer((inner) => {
    const outer = connect(place)
    let isLost = false
    for (const socket of [inner, outer]) {
      sockets.add(socket)
      socket.on("error", () => {})
      socket.on("close", () => {
        sockets.delete(socket)
        inner.destroy()
        outer.destroy()
      })
    }
    inner.on("data", (sent) => {
      if (words !== undefined && sent.includes(words)) {
        words = undefined
        isLost = true
      }
      outer.write(sent)
    })
    outer.on("data", (answer) => {
      if (!isLost) return void inner.write(answer)
      losses += 1
      inner.destroy()
    })
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening")),
    () =>
      Effect.sync(() => {
        server.close()
        for (const socket of sockets) socket.destroy()
      })
  )
  const address = server.address()
  const host = `127.0.0.1:${typeof address === "object" ? address?.port : undefined}`
  return {
    url: to.replace(/@[^/]+/, `@${host}`),
    loseNext: (statement: string) => {
      words = statement
    },
    losses: () => losses
  }
})
