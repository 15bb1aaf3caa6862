/** The alerts, each provoked by the rule engine of Prometheus, where its `promtool` is installed. */
import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { delimiter, join } from "node:path"
import * as Yaml from "effect/encoding/Yaml"
import * as Schema from "effect/Schema"
import { assert, describe, it } from "vitest"
import { root } from "../scripts/pack/PublicPackages.ts"
import { textOf } from "./deploy/Files.ts"

const Rules = Schema.Struct({
  groups: Schema.Array(Schema.Struct({ rules: Schema.Array(Schema.Struct({ alert: Schema.String })) }))
})

const Tests = Schema.Struct({
  tests: Schema.Array(
    Schema.Struct({
      alert_rule_test: Schema.Array(
        Schema.Struct({ alertname: Schema.String, exp_alerts: Schema.Array(Schema.Unknown) })
      )
    })
  )
})

const promtool = (process.env["PATH"] ?? "")
  .split(delimiter)
  .map((folder) => join(folder, "promtool"))
  .find(existsSync)

describe("the alerts", () => {
  it("are each tried where they fire, and next to it where they do not", () => {
    const { groups } = Schema.decodeUnknownSync(Rules)(
      Yaml.parse(textOf("deploy/helm/runhook/files/alerts.yaml"))
    )
    const { tests } = Schema.decodeUnknownSync(Tests)(Yaml.parse(textOf("deploy/alerts.test.yaml")))
    const tries = tests.flatMap((each) => each.alert_rule_test)

    const tried = (isFiring: boolean) =>
      new Set(
        tries.filter(({ exp_alerts }) => exp_alerts.length > 0 === isFiring).map(({ alertname }) => alertname)
      )

    const names = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert))
    assert.strictEqual(names.length, 10)
    assert.sameMembers([...tried(true)], names)
    assert.sameMembers([...tried(false)], names)
  })

  it("do so by the rule engine of Prometheus", () => {
    if (promtool === undefined) {
      process.stderr.write("promtool is not on the PATH: no alert was provoked\n")
      return
    }
    const said = execFileSync(promtool, ["test", "rules", "deploy/alerts.test.yaml"], {
      cwd: root,
      encoding: "utf8"
    })
    assert.include(said, "SUCCESS")
  })
})
