/** Takes callbacks and answers 200 at once. */
import { createServer } from "node:http"
import { once } from "node:events"

export const start = async (resources: AsyncDisposableStack): Promise<string> => {
  const server = createServer((request, response) => {
    request.resume().once("end", () => response.end())
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  resources.defer(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("The receiver has no port")
  return `http://127.0.0.1:${address.port}/callbacks`
}
