/** PostgreSQL that takes TLS at a port of this machine, with a certificate that it may change. */
import { appendFile, chown, readFile, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { once } from "node:events"
import { join } from "node:path"
import { clusterFolder, pidFileIn } from "@runhook/embedded-postgres/DataFolder"
import * as SystemUser from "@runhook/embedded-postgres/SystemUser"
import * as Effect from "effect/Effect"
import { start } from "./Server.ts"

export interface Identity {
  readonly certificate: string
  readonly privateKey: string
}

/** Of `localhost`, and its own authority. Of use for nothing else. */
export const localhost: Identity = {
  certificate: `-----BEGIN CERTIFICATE-----
MIIBlTCCATugAwIBAgIUckPM9v60Mo9I8iw/8waKC+6fAM8wCgYIKoZIzj0EAwIw
FDESMBAGA1UEAwwJbG9jYWxob3N0MCAXDTI2MTEyODA3NDAzOVoYDzIxMjYxMTA0
MDc0MDM5WjAUMRIwEAYDVQQDDAlsb2NhbGhvc3QwWTATBgcqhkjOPQIBBggqhkjO
PQMBBwNCAASwBwKBmOjdrMp4RMBF+Erhqr2Eps3q5OG3hh029/6dhG5gj2AZGx0+
1afBn2Y2DipZxZXn0FiDE1M7ny+YZSeeo2kwZzAdBgNVHQ4EFgQUXPbtw/U6Yplw
9rpF7XQXuVehv1YwHwYDVR0jBBgwFoAUXPbtw/U6Yplw9rpF7XQXuVehv1YwDwYD
VR0TAQH/BAUwAwEB/zAUBgNVHREEDTALgglsb2NhbGhvc3QwCgYIKoZIzj0EAwID
SAAwRQIgT3Q07Ll3/OoFgNKE/IepxRtO2bMlfWeKcWgqaOhFN14CIQCeaF9jQoK1
l7iPraN6tLClh8x7yaMD9BezYKoQCa7fSw==
-----END CERTIFICATE-----
`,
  privateKey: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgpthsnD4lJlSlbF9t
YDNYqpQbNSwdQ7Tof+VxelfzgWGhRANCAASwBwKBmOjdrMp4RMBF+Erhqr2Eps3q
5OG3hh029/6dhG5gj2AZGx0+1afBn2Y2DipZxZXn0FiDE1M7ny+YZSee
-----END PRIVATE KEY-----
`
}

/** A port that nobody has at the moment. */
const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  await once(server, "close")
  return typeof address === "object" && address !== null ? address.port : 0
}

/** In a folder of the test's, until the scope ends. */
export const tlsServer = Effect.fnUntraced(function* (directory: string) {
  const folder = clusterFolder(directory)
  const port = yield* Effect.promise(freePort)
  const user = yield* SystemUser.choose(folder)
  const write = async (name: string, text: string) => {
    const file = join(folder, name)
    await writeFile(file, text, { mode: 0o600 })
    if (user !== undefined) await chown(file, user.uid, user.gid)
  }

  /** What it shows from its next start or reload on. */
  const identify = async ({ certificate, privateKey }: Identity) => {
    await write("server.crt", certificate)
    await write("server.key", privateKey)
  }
  const { url } = yield* Effect.acquireRelease(
    Effect.promise(() =>
      start(directory, {
        prepare: async () => {
          await identify(localhost)
          await appendFile(join(folder, "pg_hba.conf"), "host all all samehost scram-sha-256\n")
        },
        settings: {
          listen_addresses: "127.0.0.1",
          port: String(port),
          ssl: "on"
        }
      })
    ),
    ({ end }) => Effect.promise(end)
  )
  const { password, pathname, username } = new URL(url)
  return {
    /** Shows another certificate soon. */
    identify: async (identity: Identity) => {
      await identify(identity)
      process.kill(Number.parseInt(await readFile(pidFileIn(folder), "utf8"), 10), "SIGHUP")
    },
    /** By TCP, with these parameters. */
    urlBy: (parameters: string, host = "localhost") =>
      `postgresql://${username}:${password}@${host}:${port}${pathname}?${parameters}`
  }
})
