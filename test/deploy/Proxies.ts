/** The proxies of `deploy` before a service on loopback, for machines on which their programs are installed. */
import { once } from "node:events"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { privateKey, selfSignedCertificate } from "@runhook/test-support/receivers/Certificates"
import { freePort } from "../packages/FreePort.ts"
import { start } from "../packages/Programs.ts"
import { textOf } from "./Files.ts"

/** The name in the certificate. */
export const host = "hooks.example.com"

interface Place {
  readonly port: string
  readonly upstream: number
}

interface ProxyFile {
  readonly scheme: "http" | "https"
  readonly command: string
  /** Its text for a folder of its own, with other addresses and names than those of an operator. */
  readonly configuration: (text: string, place: Place) => string
}

const nginx = `PATH="$PATH:/usr/sbin" nginx -p . -e stderr -c configuration -g 'daemon off;'`

/** What stands around a site in the configuration of a system. */
const nginxAround = `pid nginx.pid; events {} http { access_log off; ${[
  "client_body",
  "proxy",
  "fastcgi",
  "uwsgi",
  "scgi"
]
  .map((name) => `${name}_temp_path ${name};`)
  .join(" ")}`

export const proxyFiles: Readonly<Record<string, ProxyFile>> = {
  "nginx.conf": {
    scheme: "http",
    command: nginx,
    configuration: (text, { port, upstream }) =>
      text
        .replaceAll(" /tmp/", " ./")
        .replace("error_log /dev/stderr", "error_log stderr")
        // Names of Docker, and a parameter of a newer nginx than some systems have.
        .replace(/resolver .*;/, "")
        .replace("server api:8700 resolve", `server 127.0.0.1:${upstream}`)
        .replace("listen 8080", `listen 127.0.0.1:${port}`)
  },
  "nginx-tls.conf": {
    scheme: "https",
    command: nginx,
    configuration: (text, { port, upstream }) =>
      `${nginxAround} ${text
        .replace("127.0.0.1:8700", `127.0.0.1:${upstream}`)
        .replace("listen 80;", "listen unix:plain.socket;")
        .replace("listen 443", `listen 127.0.0.1:${port}`)
        .replaceAll("/etc/letsencrypt/live/runhook.example.com/", "./")}}`
  },
  Caddyfile: {
    scheme: "https",
    command: "caddy run --adapter caddyfile --config configuration",
    configuration: (text, { port, upstream }) =>
      `{\nadmin off\nauto_https disable_redirects\nstorage file_system .\nlog {\nlevel ERROR\n}\n}\n${text
        .replace(
          "runhook.example.com {",
          `https://${host}:${port} {\nbind 127.0.0.1\ntls fullchain.pem privkey.pem`
        )
        .replace("127.0.0.1:8700", `127.0.0.1:${upstream}`)}`
  }
}

export interface Proxy extends AsyncDisposable {
  readonly port: string
  readonly scheme: ProxyFile["scheme"]
}

/** Null where its program is not installed. */
export const startProxy = async (file: string, upstream: number): Promise<Proxy | null> => {
  const { command, configuration, scheme } = proxyFiles[file] ?? unknown(file)
  const folder = await mkdtemp(join(tmpdir(), "runhook-proxy-"))
  const port = await freePort()
  const files = {
    configuration: configuration(textOf(`deploy/${file}`), { port, upstream }),
    "fullchain.pem": selfSignedCertificate,
    "privkey.pem": privateKey
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  const program = start(folder, command, { HOME: folder })
  const end = async () => {
    await program.stop()
    await program[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  }
  const isListening = await Promise.race([
    answers(port),
    program.says(/not found/).then(
      () => false,
      (error: unknown) => end().then(() => Promise.reject(error))
    )
  ])
  if (isListening) return { port, scheme, [Symbol.asyncDispose]: end }
  await end()
  process.stderr.write(`The program of deploy/${file} is not on the PATH: it was not tried\n`)
  return null
}

const unknown = (file: string): never => {
  throw new Error(`There is no proxy ${file}`)
}

/** Once somebody listens there. */
const answers = async (port: string): Promise<boolean> => {
  for (;;) {
    const socket = connect(Number(port), "127.0.0.1")
    const isThere = await once(socket, "connect").then(
      () => true,
      () => false
    )
    socket.destroy()
    if (isThere) return true
    await setImmediate()
  }
}
