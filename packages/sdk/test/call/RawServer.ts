/** A server that answers as a test says, and a clock without waits. */
import { once } from "node:events"
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http"
import type { Clock } from "../../src/call/Clock.ts"

export interface Received {
  readonly method: string | undefined
  readonly path: string | undefined
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface RawServer extends AsyncDisposable {
  readonly url: string
  readonly received: ReadonlyArray<Received>
}

/** How one request is met. */
export type Answering = (response: ServerResponse, request: Received) => void

/** Meets the requests one after the other; what is too many is met as the last. */
export const startServer = async (...answers: ReadonlyArray<Answering>): Promise<RawServer> => {
  const received: Array<Received> = []
  const server = createServer(async (request, response) => {
    let body = ""
    for await (const chunk of request.setEncoding("utf8")) body += chunk
    const { headers, method, url: path } = request
    const one = { method, path, headers, body }
    received.push(one)
    const answering = answers[Math.min(received.length, answers.length) - 1]
    answering?.(response, one)
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close")
      server.close()
      server.closeAllConnections()
      await closed
    }
  }
}

export const json =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Answering =>
  (response) => {
    response
      .writeHead(status, { "content-type": "application/json", "x-request-id": "req_1", ...headers })
      .end(JSON.stringify(body))
  }

export const refusal = (
  status: number,
  code: string,
  headers: Readonly<Record<string, string>> = {}
): Answering =>
  json(
    status,
    { error: { code, message: `refused: ${code}`, details: { why: code }, request_id: "req_2" } },
    headers
  )

/** Never answers. */
export const silence: Answering = () => {}

/** Closes the connection without an answer. */
export const hangUp: Answering = (response) => void response.destroy()

export interface TestClock extends Clock {
  /** What was waited for, in milliseconds, in order. */
  readonly pauses: ReadonlyArray<number>
}

/** Its pauses are over at once, and make it later by their length. Time-outs never run out, but of no time. Chance is always the middle. */
export const testClock = (): TestClock => {
  const pauses: Array<number> = []
  let nowMs = 0
  return {
    pauses,
    now: () => nowMs,
    random: () => 0.5,
    after: (milliseconds, act) => {
      if (milliseconds === 0) queueMicrotask(act)
      return () => {}
    },
    sleep: async (milliseconds, signal) => {
      signal.throwIfAborted()
      pauses.push(milliseconds)
      nowMs += milliseconds
    }
  }
}
