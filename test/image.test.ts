/** The images of the Dockerfile, made and run without Docker. */
import { existsSync, globSync } from "node:fs"
import { lstat, mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { copyCluster } from "@runhook/test-support/postgres/TestServer"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { templates, textOf } from "./deploy/Files.ts"
import { build, give, type Image, type Images } from "./deploy/Image.ts"
import { freePort } from "./packages/FreePort.ts"
import { run, start } from "./packages/Programs.ts"

/** Services are started, on a machine that others use too. */
const timeoutMs = 120_000

/** With the secrets where Compose puts them. */
const settingsOf = async ({ env, placeOf, root: folder, user }: Image) => {
  const secrets = join(folder, "run/secrets")
  await mkdir(secrets, { recursive: true })
  await writeFile(join(secrets, "admin.key"), `${"k".repeat(32)}\n`)
  await writeFile(join(secrets, "secret.key"), `${Buffer.alloc(32).toString("base64")}\n`)
  await give(secrets, user)
  return {
    ...env,
    RUNHOOK_HOST: "127.0.0.1",
    RUNHOOK_PORT: await freePort(),
    RUNHOOK_STOP_NOTICE: "0",
    RUNHOOK_ADMIN_KEY_FILE: placeOf("/run/secrets/admin.key"),
    RUNHOOK_SECRET_KEY_FILE: placeOf("/run/secrets/secret.key")
  }
}

const filesIn = (folder: string) => globSync("**", { cwd: folder, exclude: ["data/**"] }).toSorted()

const bytesIn = async (folder: string) => {
  const all = await Promise.all(filesIn(folder).map((file) => lstat(join(folder, file))))
  return all.reduce((sum, { size }) => sum + size, 0)
}

describe("an image", { timeout: timeoutMs }, () => {
  let built: Images
  beforeAll(async () => {
    built = await build()
  }, timeoutMs)
  afterAll(() => built[Symbol.asyncDispose](), timeoutMs)

  it("answers from files it cannot change, as nobody in particular, until it is told to stop", async () => {
    const image = built.alone
    const env = await settingsOf(image)
    const before = filesIn(image.root)
    const isHealthy = () =>
      run("/", image.shell(image.health), env).then(
        () => true,
        () => false
      )

    await using service = start(
      "/",
      `exec ${image.shell([...image.entrypoint, ...image.command, "--memory"])}`,
      env
    )
    await service.says(/"Listening"/)
    const origin = `http://127.0.0.1:${env.RUNHOOK_PORT}`
    const probes = templates.flatMap((text) => text.match(/(?<=httpGet: { path: )\/\w+/g) ?? [])
    const answers: Array<Response> = []
    for (const path of [...probes, "/metrics", "/docs", "/integrations"])
      answers.push(await fetch(origin + path))
    const health = [await isHealthy()]
    const code = await service.stop()
    health.push(await isHealthy())

    assert.lengthOf(probes, 3)
    assert.deepStrictEqual(
      answers.map(({ status }) => status),
      Array.from(answers, () => 200)
    )
    assert.deepStrictEqual(health, [true, false])
    assert.strictEqual(code, 0)
    assert.deepStrictEqual(filesIn(image.root), before)
    // nginx gives up an idle connection before the service does.
    const [, kept] = /keepalive_timeout (\d+)s/.exec(textOf("deploy/nginx.conf")) ?? []
    const [, keeps] = /timeout=(\d+)/.exec(answers[0]?.headers.get("keep-alive") ?? "") ?? []
    assert.isBelow(Number(kept), Number(keeps))
  })

  it("is small", async () => {
    // What it begins with has some 20 MB beside Node and its libraries.
    assert.isBelow(await bytesIn(built.alone.root), 150e6)
  })

  it("has the command that goes before a release", async () => {
    const image = built.alone
    const [called = ""] = /(?<=args: \[)\w+/.exec(textOf("deploy/helm/runhook/templates/migrate.yaml")) ?? []

    const said = await run("/", image.shell([...image.entrypoint, called]), image.env).catch(String)

    assert.include(said, "RUNHOOK_DATABASE_URL is not set")
  })

  it("may bring a PostgreSQL, which keeps everything in the folder of data", async () => {
    const image = built.withPostgres
    const data = join(image.root, "data")
    await copyCluster(join(data, "postgres"))
    await give(data, image.user)
    const env = await settingsOf(image)
    const before = filesIn(image.root)

    await using service = start("/", `exec ${image.shell([...image.entrypoint, ...image.command])}`, env)
    await service.says(/"Listening"/)
    const { status } = await fetch(`http://127.0.0.1:${env.RUNHOOK_PORT}/readyz`)
    const code = await service.stop()

    assert.deepStrictEqual([status, code], [200, 0])
    assert.isTrue(existsSync(join(data, "postgres/cluster/PG_VERSION")))
    assert.deepStrictEqual(filesIn(image.root), before)
  })
})
