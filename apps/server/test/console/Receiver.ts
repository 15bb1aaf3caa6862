/** A receiver on this machine that answers callbacks as a test wants it to. */
import { once } from "node:events"
import { createServer } from "node:http"
import { text } from "node:stream/consumers"

export interface Callback {
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: string
}

export interface Receiver {
  readonly url: string
  readonly origin: string
  /** What came, in this order. */
  readonly callbacks: ReadonlyArray<Callback>
  /** How it answers from now on. */
  readonly answer: (status: number) => void
  readonly close: () => void
}

/** With the status, and this text, unless a test sets another status. */
export const aReceiver = async (first = 204, said = ""): Promise<Receiver> => {
  const callbacks: Array<Callback> = []
  let status = first
  const server = createServer(async (request, response) => {
    callbacks.push({ headers: request.headers, body: await text(request) })
    response.writeHead(status).end(said)
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  const address = server.address()
  const origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`
  return {
    url: `${origin}/hook`,
    origin,
    callbacks,
    answer: (next) => {
      status = next
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}
