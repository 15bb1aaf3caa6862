/** A port for a program that has to be told one. */
import { randomInt } from "node:crypto"
import { once } from "node:events"
import { createServer } from "node:net"

const attemptsMax = 20

/**
 * None of those that the system gives out by itself, from 32,768 on: another
 * program might be given it before ours listens.
 */
export const freePort = async (attempts = attemptsMax): Promise<string> => {
  const port = randomInt(20_000, 30_000)
  const server = createServer().listen(port)
  try {
    await once(server, "listening")
  } catch (error) {
    if (attempts === 0) throw error
    return freePort(attempts - 1)
  }
  server.close()
  await once(server, "close")
  return String(port)
}
