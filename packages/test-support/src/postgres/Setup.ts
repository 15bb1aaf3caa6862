/** For a whole run of tests: the server starts when one of them first asks where it is, and ends with the run. */
import { once } from "node:events"
import { chmod, mkdir, mkdtemp, rm, statfs } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import type { Server } from "./Server.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** The socket at which is told where the server is, and a cluster to copy. */
    readonly postgres: string
  }
}

/** Where Linux keeps files in memory. */
const memory = "/dev/shm"

/** Bytes. The databases of a run and what its tests keep for a while need less than half of it. */
const roomMin = 3 * 1024 ** 3

/** Tests make databases by the hundred and remove them, for which the kernel works twice as long on a disk. */
const roomyFolder = async (): Promise<string> => {
  const found = await statfs(memory).catch(() => undefined)
  return found !== undefined && found.bavail * found.bsize >= roomMin ? memory : tmpdir()
}

export const setup = async (project: TestProject) => {
  const folder = await mkdtemp(join(await roomyFolder(), "runhook-tests-"))
  // Tests keep theirs there too, such as a database of 47 MB for each service with its own, which may run as another user.
  process.env["TMPDIR"] = join(folder, "tmp")
  await chmod(folder, 0o711)
  await mkdir(process.env["TMPDIR"], 0o711)
  let server: Promise<Server> | undefined
  const start = async () => {
    // Most runs of a few tests need none, and loading it takes longer than they do.
    const { start: startServer } = await import("./Server.ts")
    return startServer(join(folder, "database"))
  }
  const desk = createServer((asking) => {
    asking.on("error", () => {})
    server ??= start()
    server.then(
      ({ cluster, url }) => asking.end(JSON.stringify({ cluster, url })),
      (cause: unknown) => asking.end(JSON.stringify({ problem: String(cause) }))
    )
  })
  const socket = join(folder, "desk")
  await once(desk.listen(socket), "listening")
  project.provide("postgres", socket)

  return async () => {
    desk.close()
    const started = await server?.catch(() => undefined)
    await started?.end()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
