/** A webhook receiver that remembers which events it was told of. */
import { once } from "node:events"
import { createServer } from "node:http"
import { text } from "node:stream/consumers"

export interface Receiver extends AsyncDisposable {
  readonly url: string
  /** The event types told of an execution. */
  typesOf(executionId: string): ReadonlySet<string>
}

export const startReceiver = async (): Promise<Receiver> => {
  const told = new Map<string, Set<string>>()
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request))
    const types = told.get(body.execution.id) ?? new Set()
    told.set(body.execution.id, types.add(body.type))
    response.end()
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const port = typeof address === "object" ? address?.port : undefined
  return {
    url: `http://127.0.0.1:${port}/`,
    typesOf: (executionId) => told.get(executionId) ?? new Set(),
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    }
  }
}
