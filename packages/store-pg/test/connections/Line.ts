/** A line to the database of a test that can fall silent: nothing is refused or lost on it, nothing arrives any more. */
import { once } from "node:events"
import { type AddressInfo, connect, createServer, type Socket } from "node:net"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { TestDatabase } from "../TestDatabase.ts"

export interface Line {
  readonly url: Redacted.Redacted
  /** Connections that were opened on it so far. */
  readonly opened: () => number
  /** Holds what is on its way, also on connections that are opened from now on. */
  readonly fallSilent: () => void
  /** The same, but that those which are opened from now on are not concerned, as when another machine takes over. */
  readonly loseConnections: () => void
  /** Drops what the database answers from now on. */
  readonly loseAnswers: () => void
  /** Ends the connections. Those that are opened from now on have nothing to do with what was before. */
  readonly hangUp: () => void
  /** Delivers what was held. */
  readonly recover: () => void
}

/** Where PostgreSQL takes connections, as `node:net` wants to know it. */
export const placeOf = ({ hostname, port }: URL) => {
  const host = decodeURIComponent(hostname)
  const number = Number(port || "5432")
  return host.startsWith("/") ? { path: `${host}/.s.PGSQL.${number}` } : { host, port: number }
}

/** The same database, by another port of this machine. */
export const urlBy = (url: URL, port: number): Redacted.Redacted => {
  const by = new URL(url)
  by.host = `127.0.0.1:${port}`
  return Redacted.make(by.toString())
}

/** A line to the database of the test, which ends with the scope. */
export const makeLine = Effect.fnUntraced(function* () {
  const url = new URL(Redacted.value((yield* TestDatabase).url))
  const ends = new Set<Socket>()
  let [isSilent, losesAnswers, opened] = [false, false, 0]
  const server = createServer((client) => {
    opened += 1
    const database = connect(placeOf(url))
    for (const [end, other] of [
      [client, database],
      [database, client]
    ] as const) {
      ends.add(end)
      end.on("data", (bytes) => {
        if (end === client || !losesAnswers) other.write(bytes)
      })
      end.on("error", () => other.destroy())
      end.on("close", () => {
        ends.delete(end)
        other.destroy()
      })
      if (isSilent) end.pause()
    }
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => once(server.listen(0, "127.0.0.1"), "listening")),
    () =>
      Effect.sync(() => {
        for (const end of ends) end.destroy()
        server.close()
      })
  )
  const line: Line = {
    url: urlBy(url, (server.address() as AddressInfo).port),
    opened: () => opened,
    fallSilent: () => {
      isSilent = true
      line.loseConnections()
    },
    loseConnections: () => ends.forEach((end) => end.pause()),
    loseAnswers: () => {
      losesAnswers = true
    },
    hangUp: () => {
      losesAnswers = false
      ends.forEach((end) => end.destroy())
    },
    recover: () => {
      isSilent = false
      ends.forEach((end) => end.resume())
    }
  }
  return line
})
