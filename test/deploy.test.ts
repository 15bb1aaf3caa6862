/** The files of a deployment, held against the service: without Kubernetes, Compose or any of their tools. */
import { globSync, readFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, matchesGlob } from "node:path/posix"
import { settings } from "@runhook/server/config"
import { fileVariableOf } from "@runhook/server/settings/Setting"
import { version } from "@runhook/server/Version"
import * as Yaml from "effect/encoding/Yaml"
import * as Schema from "effect/Schema"
import { assert, describe, it } from "vitest"
import { publicPackages, root } from "../scripts/pack/PublicPackages.ts"
import { pairsIn, wordsOf } from "./deploy/Dockerfile.ts"
import { everything, templates, textOf } from "./deploy/Files.ts"
import { stages } from "./deploy/Image.ts"
import { run } from "./packages/Programs.ts"

const guide = textOf("docs/operating/install.md")

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
)(Yaml.parse(textOf("deploy/compose.yaml")))

const values = Schema.decodeUnknownSync(
  Schema.Struct({ settings: Texts, roles: Schema.Record(Schema.String, Schema.Unknown) })
)(Yaml.parse(textOf("deploy/helm/runhook/values.yaml")))

const processes = Object.values(compose.services).filter(({ image }) => image.startsWith("runhook:"))
const images = stages.filter((stage) => wordsOf(stage, "ENTRYPOINT").length > 0)
const table = Object.values(settings)

describe("the files of a deployment", () => {
  it("name only settings that exist", () => {
    const known = new Set(
      table.flatMap(({ isSecret, name }) => (isSecret ? [name, fileVariableOf(name)] : [name]))
    )
    const names = everything.match(/(?:RUNHOOK|AWS)_[A-Z]\w+/g) ?? []

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
      [
        ...text.matchAll(
          new RegExp(`(?:RUNHOOK|AWS)_\\w+_FILE\\b\\S* ?(?:value: )?${folder}/([\\w.-]+)`, "g")
        )
      ].map(([, name = ""]) => name)
    const unit = textOf("deploy/systemd/runhook@.service")
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
      ["database-url", "secret-key", "admin-key", "aws-access-key-id", "aws-secret-access-key"]
    )
  })

  it("hide the metrics from those who ask nginx, whatever stands behind their path", () => {
    assert.match(textOf("deploy/nginx.conf"), /location \^~ \/metrics \{\s+return 404;/)
  })

  it("find the secrets that the guide makes", async () => {
    const folder = await mkdtemp(join(tmpdir(), "runhook-secrets-"))
    const [making = ""] = /(?<=```sh\ncd deploy\n)[^]*?(?=docker)/.exec(guide) ?? []

    await run(folder, making)
    const made = Object.values(compose.secrets).map(({ file }) =>
      readFileSync(join(folder, file), "utf8").trim()
    )
    await rm(folder, { recursive: true })

    const [password = "", url = "", secretKey = "", adminKey = ""] = made
    assert.include(url, `:${password}@`)
    assert.deepStrictEqual(
      [
        settings.databaseUrl.parse(url),
        settings.secretKey.parse(secretKey),
        settings.adminKey.parse(adminKey)
      ].map(({ _tag }) => _tag),
      ["Success", "Success", "Success"]
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
      ...(textOf("deploy/systemd/runhook@.service").match(/(?<=^TimeoutStopSec=)\d+$/m) ?? []),
      ...(textOf("deploy/helm/runhook/templates/deployments.yaml").match(
        /(?<=terminationGracePeriodSeconds: )\d+/
      ) ?? [])
    ].map((each) => Number.parseInt(each, 10))

    assert.lengthOf(graces, 4)
    for (const seconds of graces) assert.isAbove(seconds, 5 + 10)
  })

  it("have one version, which is that of the service and of all packages", () => {
    const chart = textOf("deploy/helm/runhook/Chart.yaml")

    const named = [
      ...images.map((stage) => pairsIn(wordsOf(stage, "LABEL"))["org.opencontainers.image.version"]),
      ...processes.map(({ image }) => image.slice("runhook:".length)),
      ...(chart.match(/(?<=^(?:appV|v)ersion: ).*$/gm) ?? []),
      ...publicPackages().map(({ manifest }) => manifest.version)
    ]

    assert.isAbove(named.length, 15)
    assert.deepStrictEqual([...new Set(named)], [version])
  })

  it("name only values that the chart has", () => {
    const given: unknown = Yaml.parse(textOf("deploy/helm/runhook/values.yaml"))
    const named = templates.flatMap((text) =>
      [...text.matchAll(/\.Values\.([\w.]+)/g)].map(([, path = ""]) => path)
    )

    const set = [...guide.matchAll(/--set ([\w.]+)=/g)].map(([, path = ""]) => path)

    const missing = [...named, ...set].filter((path) => !has(given, path.split(".")))

    assert.isAbove(named.length, 20)
    assert.lengthOf(set, 5)
    assert.deepStrictEqual(missing, [])
  })

  it("let Kubernetes set no variable of a pod, since the Service has the name of a release", () => {
    const links = new Set(["RUNHOOK_PORT", "RUNHOOK_SERVICE_HOST", "RUNHOOK_SERVICE_PORT"])
    const podOf = (template: string) => template.includes('include "runhook.pod"')

    assert.include(guide, "helm install runhook ")
    assert.isNotEmpty(table.filter(({ name }) => links.has(name)))
    assert.lengthOf(templates.filter(podOf), templates.filter((text) => text.includes("containers:")).length)
    assert.match(textOf("deploy/helm/runhook/templates/_helpers.tpl"), /^enableServiceLinks: false$/m)
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
