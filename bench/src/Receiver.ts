/** Takes callbacks and answers 200 at once. */
import { createServer } from "node:http"
import { listen } from "./Listening.ts"

export const start = (resources: AsyncDisposableStack): Promise<string> => {
  const server = createServer((request, response) => {
    request.resume().once("end", () => response.end())
  })
  return listen(server, resources)
}
