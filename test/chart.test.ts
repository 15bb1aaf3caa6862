/** The Helm chart, held against the service, without Helm. */
import { deniedIpv4, deniedIpv6, publicIpv4, publicIpv6 } from "@runhook/core/shared/target/AddressPolicy"
import { settings } from "@runhook/server/config"
import { fileVariableOf } from "@runhook/server/settings/Setting"
import { Ajv } from "ajv"
import * as Effect from "effect/Effect"
import * as Yaml from "effect/encoding/Yaml"
import * as IpNetwork from "effect/net/IpNetwork"
import * as Schema from "effect/Schema"
import { assert, describe, it } from "vitest"
import { answeredPaths } from "../apps/server/test/AnsweredPaths.ts"
import { templates, textOf } from "./deploy/Files.ts"

const chart = "deploy/helm/runhook"
const valuesText = textOf(`${chart}/values.yaml`)
const ingress = textOf(`${chart}/templates/service.yaml`)
const policy = textOf(`${chart}/templates/networkpolicy.yaml`)

const Networks = Schema.Array(Schema.String)

const { forbidden } = Schema.decodeUnknownSync(
  Schema.Struct({
    networkPolicy: Schema.Struct({ forbidden: Schema.Struct({ ipv4: Networks, ipv6: Networks }) })
  })
)(Yaml.parse(valuesText)).networkPolicy

const judge = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(
  JSON.parse(textOf(`${chart}/values.schema.json`))
)

/** The values of the chart after a change of their text. */
const changed = (from: string, to: string): unknown => {
  assert.include(valuesText, from)
  return Yaml.parse(valuesText.replace(from, to))
}

/** Which paths the Ingress leads to, and how they match. */
const rules = [...ingress.matchAll(/^ +"(\/\S*)" "(Exact|Prefix)"$/gm)].map(([, path = "", type]) => ({
  path,
  type
}))

const isRouted = (asked: string) =>
  rules.some(({ path, type }) => asked === path || (type === "Prefix" && asked.startsWith(`${path}/`)))

describe("the chart's Ingress", () => {
  it("leads to every path that the service answers for others", async () => {
    const paths = await Effect.runPromise(answeredPaths)

    assert.isAbove(paths.length, 100)
    assert.deepStrictEqual(
      paths.filter((path) => !isRouted(path)),
      []
    )
  })

  it("has no rule without such a path, and none for probes and metrics", async () => {
    const paths = await Effect.runPromise(answeredPaths)

    assert.deepStrictEqual(
      rules.filter((rule) => !paths.some((path) => path === rule.path || path.startsWith(`${rule.path}/`))),
      []
    )
    assert.deepStrictEqual(["/livez", "/metrics", "/readyz"].filter(isRouted), [])
  })

  it("is described in the guide by its own paths", () => {
    const [, named = ""] =
      /^- \*\*Ingress\*\* exposes ([^:]+), but/m.exec(textOf("docs/operating/install.md")) ?? []

    assert.sameMembers(
      [...named.matchAll(/`([^`]+)`/g)].map(([, path]) => path),
      rules.map(({ path }) => path)
    )
  })
})

describe("the chart's NetworkPolicy", () => {
  it("forbids the networks that the service's own rules forbid", () => {
    assert.deepStrictEqual(forbidden, {
      ipv4: deniedIpv4.map(IpNetwork.format),
      ipv6: deniedIpv6.map(IpNetwork.format)
    })
    assert.sameMembers(
      [...policy.matchAll(/ipBlock: \{ cidr: "?([^",]+)"?, except/g)].map(([, cidr]) => cidr),
      [...publicIpv4, ...publicIpv6].map(IpNetwork.format)
    )
  })

  it("opens the database's port to the peers of the database alone", () => {
    const [, rule = ""] = /(- ports: \[\{ port: \{\{ \.databasePort \}\}[^]*?)\n {4}[-#]/.exec(policy) ?? []

    assert.match(rule, /\{\{- if not \.database \}\}\s+\{\{- fail "networkPolicy\.database: /)
    assert.match(rule, /\{\{- end \}\}\n {6}to: \{\{ toYaml \.database/)
  })
})

describe("the chart's migration", () => {
  it("reads the database's URL, and has no other key of the Secret", () => {
    const job = textOf(`${chart}/templates/migrate.yaml`)
    const read = [...job.matchAll(/\/run\/secrets\/runhook\/([\w-]+)/g)].map(([, key]) => key)

    assert.deepStrictEqual(read, ["database-url"])
    assert.match(
      job,
      /include "runhook.secrets" \. [^\n]+\n {12}items: \[\{ key: database-url, path: database-url \}\]\n/
    )
  })
})

describe("the chart's schema of values", () => {
  it("takes the chart's own values", () => {
    judge(Yaml.parse(valuesText))

    assert.isNull(judge.errors ?? null)
  })

  it("takes what an operator sets", () => {
    judge(changed("settings:", "settings:\n  RUNHOOK_CALLBACK_ALLOW: 10.1.0.0/16\n  RUNHOOK_MAX_LIVE: 5000"))
    assert.isNull(judge.errors ?? null)

    judge(changed("database: []", "database: [{ ipBlock: { cidr: 10.0.3.7/32 } }, { podSelector: {} }]"))
    assert.isNull(judge.errors ?? null)
  })

  it.each([
    ["", "ingres: { enabled: true }\nimage:", "image:"],
    ["/settings", "settings:\n  RUNHOOK_LOG_LEVLE: debug", "settings:"],
    ["/settings", "settings:\n  RUNHOOK_ROLES: api", "settings:"],
    ["/ingress", "ingress:\n  enable: true", "ingress:"],
    ["/roles", "roles:\n  dispatchers: { replicas: 2 }", "roles:"],
    ["/roles/api", "  api:\n    replica: 2", "  api:"],
    ["/roles/api/resources", "    resources:\n      request: {}", "    resources:"],
    ["/networkPolicy", "networkPolicy:\n  databse: []", "networkPolicy:"],
    ["/networkPolicy/database/0", "database: [{ ipblock: { cidr: 10.0.3.7/32 } }]", "database: []"],
    ["/networkPolicy/forbidden", "forbidden: [10.0.0.0/8]\n  old:", "forbidden:"],
    ["/artifacts", "artifacts:\n  uri: s3://bucket", "artifacts:"],
    ["/artifacts/url", 'url: "https://bucket.example.com"', 'url: ""'],
    ["/monitoring", "monitoring:\n  enable: true", "monitoring:"],
    ["/image/pullPolicy", "pullPolicy: Sometimes", "pullPolicy: IfNotPresent"]
  ])("refuses at %j what becomes of a value: %s", (place, to, from) => {
    judge(changed(from, to))

    const places = judge.errors?.map(({ instancePath }) => instancePath) ?? []
    assert.include(places, place)
  })

  it("lists the settings that the chart does not set itself", () => {
    const isSet = (name: string) =>
      templates.some((text) => new RegExp(String.raw`\b${name}(?:_FILE)?\b`).test(text))
    const { properties } = Schema.decodeUnknownSync(
      Schema.Struct({
        properties: Schema.Struct({
          settings: Schema.Struct({ properties: Schema.Record(Schema.String, Schema.Unknown) })
        })
      })
    )(JSON.parse(textOf(`${chart}/values.schema.json`)))

    assert.sameMembers(
      Object.keys(properties.settings.properties),
      Object.values(settings)
        .filter(({ name }) => !isSet(name))
        .flatMap(({ isSecret, name }) => (isSecret ? [name, fileVariableOf(name)] : [name])),
      "deploy/helm/runhook/values.schema.json, properties.settings"
    )
  })
})
