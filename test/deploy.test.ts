/** The Dockerfile and what is in `deploy`, held against the service: without Docker, Kubernetes or any of their tools. */
import { existsSync, globSync, readFileSync } from "node:fs"
import { lstat, mkdir, writeFile } from "node:fs/promises"
import { join, matchesGlob } from "node:path/posix"
import { hostedFilesPath } from "@runhook/core/domain/artifact/Artifact"
import { settings } from "@runhook/server/config"
import { fileVariableOf } from "@runhook/server/settings/Setting"
import { version } from "@runhook/server/Version"
import { copyCluster } from "@runhook/test-support/postgres/TestServer"
import * as Yaml from "effect/encoding/Yaml"
import * as Schema from "effect/Schema"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { root } from "../scripts/pack/PublicPackages.ts"
import { pairsIn, wordsOf } from "./deploy/Dockerfile.ts"
import { build, give, type Image, type Images, stages } from "./deploy/Image.ts"
import { freePort } from "./packages/FreePort.ts"
import { run, start } from "./packages/Programs.ts"

/** Services are started, on a machine that others use too. */
const timeoutMs = 120_000

const textOf = (file: string) => readFileSync(join(root, file), "utf8")

const files = new Map(
  ["Dockerfile", ...globSync("deploy/**/*.*", { cwd: root, exclude: ["deploy/secrets/**"] })].map((file) => [
    file,
    textOf(file)
  ])
)
const everything = [...files.values()].join("\n")
const fileOf = (name: string) => files.get(`deploy/${name}`) ?? assert.fail(`deploy/${name} is not there`)
const templates = [...files].filter(([file]) => file.includes("/templates/")).map(([, text]) => text)

const Texts = Schema.Record(Schema.String, Schema.String)

const compose = Schema.decodeUnknownSync(
  Schema.Struct({
    services: Schema.Record(
      Schema.String,
      Schema.Struct({
        image: Schema.String,
        environment: Schema.optionalKey(Texts),
        secrets: Schema.optionalKey(Schema.Array(Schema.String)),
        stop_grace_period: Schema.optionalKey(Schema.String)
      })
    ),
    secrets: Schema.Record(Schema.String, Schema.Struct({ file: Schema.String }))
  })
)(Yaml.parse(fileOf("compose.yaml")))

const values = Schema.decodeUnknownSync(
  Schema.Struct({ settings: Texts, roles: Schema.Record(Schema.String, Schema.Unknown) })
)(Yaml.parse(fileOf("helm/runhook/values.yaml")))

const processes = Object.values(compose.services).filter(({ image }) => image.startsWith("runhook:"))
const images = stages.filter((stage) => wordsOf(stage, "ENTRYPOINT").length > 0)
const table = Object.values(settings)

describe("the files of a deployment", () => {
  it("name only settings that exist", () => {
    const known = new Set(
      table.flatMap(({ isSecret, name }) => (isSecret ? [name, fileVariableOf(name)] : [name]))
    )
    const names = everything.match(/RUNHOOK_\w+/g) ?? []

    assert.isAbove(names.length, 30)
    assert.deepStrictEqual(
      names.filter((name) => !known.has(name)),
      []
    )
  })

  it("give them values that the service takes", () => {
    const given = [
      ...processes.map(({ environment }) => environment ?? {}),
      ...images.map((stage) => pairsIn(wordsOf(stage, "ENV"))),
      values.settings,
      ...Object.keys(values.roles).map((role) => ({ RUNHOOK_ROLES: role }))
    ].flatMap((each) => Object.entries(each))

    const refused = given.flatMap(([name, text]) => {
      const setting = table.find((each) => each.name === name)
      // Compose puts in what stands behind the name where the operator has set nothing.
      const value = text.replace(/^\$\{\w+:-(.*)\}$/, "$1")
      return setting === undefined || value === "" || setting.parse(value)._tag === "Success"
        ? []
        : [name, value]
    })

    assert.lengthOf(given, 2 * 6 + 2 * 3 + 3 + 2)
    assert.deepStrictEqual(refused, [])
  })

  it("name secrets by files that are there", () => {
    const inFolder = (text: string, folder: string) =>
      [...text.matchAll(new RegExp(`RUNHOOK_\\w+_FILE\\b\\S* ?(?:value: )?${folder}/([\\w.-]+)`, "g"))].map(
        ([, name = ""]) => name
      )
    const unit = fileOf("systemd/runhook@.service")
    const loaded = [...unit.matchAll(/^LoadCredential=([\w.]+):\/etc\/runhook\/\1$/gm)].map(
      ([, name]) => name
    )

    for (const { environment = {}, secrets } of processes) {
      const named = Object.entries(environment).filter(([name]) => name.endsWith("_FILE"))
      assert.sameMembers(
        named.map(([, file]) => file),
        secrets?.map((name) => `/run/secrets/${name}`) ?? []
      )
      assert.containsAllKeys(compose.secrets, secrets ?? [])
    }
    assert.lengthOf(loaded, 3)
    assert.sameMembers(unit.match(/(?<=_FILE=%d\/)[\w.]+/g) ?? [], loaded)
    assert.sameMembers(
      [...new Set(templates.flatMap((text) => inFolder(text, "/run/secrets/runhook")))],
      ["database-url", "secret-key", "admin-key"]
    )
  })

  it("ask at the port where an image answers", () => {
    const ports = everything.match(/(?<![\d.])87\d\d\b/g) ?? []

    assert.isAbove(ports.length, 10)
    assert.deepStrictEqual([...new Set(ports)], [String(settings.port.unset)])
  })

  it("leave a process the time for its notice and its stop", () => {
    const graces = [
      ...processes.map((each) => each.stop_grace_period ?? ""),
      ...(fileOf("systemd/runhook@.service").match(/(?<=^TimeoutStopSec=)\d+$/m) ?? []),
      ...(fileOf("helm/runhook/templates/deployments.yaml").match(
        /(?<=terminationGracePeriodSeconds: )\d+/
      ) ?? [])
    ].map((each) => Number.parseInt(each, 10))

    assert.lengthOf(graces, 4)
    for (const seconds of graces) assert.isAbove(seconds, 5 + 10)
  })

  it("have one version, which is that of the service", () => {
    const chart = fileOf("helm/runhook/Chart.yaml")

    const named = [
      ...images.map((stage) => pairsIn(wordsOf(stage, "LABEL"))["org.opencontainers.image.version"]),
      ...processes.map(({ image }) => image.slice("runhook:".length)),
      ...(chart.match(/(?<=^(?:appV|v)ersion: ).*$/gm) ?? [])
    ]

    assert.deepStrictEqual(
      named,
      Array.from({ length: 6 }, () => version)
    )
  })

  it("name in templates only values that the chart has", () => {
    const given: unknown = Yaml.parse(fileOf("helm/runhook/values.yaml"))
    const named = templates.flatMap((text) =>
      [...text.matchAll(/\.Values\.([\w.]+)/g)].map(([, path = ""]) => path)
    )

    const missing = named.filter((path) => !has(given, path.split(".")))

    assert.isAbove(named.length, 20)
    assert.deepStrictEqual(missing, [])
  })

  it("send the builder all that the service is made of, and nothing that only this machine has", () => {
    const patterns = textOf(".dockerignore")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
    const isLeftOut = (file: string) =>
      patterns.some((pattern) => matchesGlob(file, pattern) || matchesGlob(file, `${pattern}/**`))
    const made: { readonly files: ReadonlyArray<string> } = JSON.parse(
      textOf("apps/server/dist/sources.json")
    )
    const needed = [
      ...made.files,
      ...globSync(
        ["{apps,packages}/*/{src/**/*.*,*.*}", "docs/**/*.md", "examples/**/*.{md,json}", "*.{json,yaml}"],
        { cwd: root, exclude: ["**/node_modules/**"] }
      ),
      "scripts/install.mjs"
    ]
    const own = [
      ".git/config",
      "node_modules/a",
      "apps/server/dist/runhook.mjs",
      "apps/server/node_modules/a"
    ]
    const secret = [
      ".env",
      "admin.key",
      "a/secret.key",
      "examples/operator/.env",
      "deploy/secrets/database.url"
    ]
    const data = ["data/secrets.json", "data/postgres/cluster/base", "examples/operator/data/secrets.json"]

    assert.isAbove(needed.length, 1_000)
    assert.deepStrictEqual(needed.filter(isLeftOut), [])
    assert.deepStrictEqual(
      [...own, ...secret, ...data].filter((file) => !isLeftOut(file)),
      []
    )
  })
})

const has = (value: unknown, [name, ...rest]: ReadonlyArray<string>): boolean =>
  name === undefined ||
  (value !== null && Object.hasOwn(Object(value), name) && has(Object(value)[name], rest))

let built: Images
beforeAll(async () => {
  built = await build()
}, timeoutMs)
afterAll(() => built[Symbol.asyncDispose](), timeoutMs)

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
    const probes = templates.flatMap((text) => text.match(/(?<=path: )\/\w+/g) ?? [])
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
    const [, kept] = /keepalive_timeout (\d+)s/.exec(fileOf("nginx.conf")) ?? []
    const [, keeps] = /timeout=(\d+)/.exec(answers[0]?.headers.get("keep-alive") ?? "") ?? []
    assert.isBelow(Number(kept), Number(keeps))
  })

  it("is small", async () => {
    // What it begins with has some 20 MB beside Node and its libraries.
    assert.isBelow(await bytesIn(built.alone.root), 150e6)
  })

  it("has the command that goes before a release", async () => {
    const image = built.alone
    const [called = ""] = /(?<=args: \[)\w+/.exec(fileOf("helm/runhook/templates/migrate.yaml")) ?? []

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

describe("an Ingress of the chart", () => {
  it("leads to all that callers, runners and browsers need, and not to the metrics", () => {
    const [, paths = ""] = /range list (.*) }}/.exec(fileOf("helm/runhook/templates/service.yaml")) ?? []

    assert.sameMembers(
      paths.split(" ").map((each) => each.slice(1, -1)),
      ["/api", "/docs", "/integrations", `/${hostedFilesPath.split("/")[1]}`]
    )
  })
})
