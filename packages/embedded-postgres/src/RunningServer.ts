/** The server that another process of this machine runs on a folder, for those who may read the folder. */
import { readFile, readlink, stat } from "node:fs/promises"
import { resolve } from "node:path"
import * as Effect from "effect/Effect"
import * as Cluster from "./Cluster.ts"
import { clusterFolder, socketLink } from "./DataFolder.ts"
import { ifThere, inFolder } from "./SystemFault.ts"

/** Whether a database was ever made in the folder. */
export const isMade = (directory: string) =>
  Effect.map(
    ifThere(directory, () => stat(clusterFolder(directory))),
    (found) => found !== undefined
  )

/** Where to connect to the server that runs on the folder. */
export const find = (directory: string) => {
  const folder = resolve(directory)
  return inFolder(folder, async () =>
    Cluster.urlOf(
      await readlink(socketLink(folder)),
      await readFile(Cluster.passwordFile(clusterFolder(folder)), "utf8")
    )
  )
}
