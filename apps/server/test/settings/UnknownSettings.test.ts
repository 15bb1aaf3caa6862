import { assert, describe, it } from "@effect/vitest"
import { unknownIn } from "../../src/settings/UnknownSettings.ts"

const known = ["RUNHOOK_BASE_URL", "RUNHOOK_PORT", "RUNHOOK_RETENTION_DAYS"]
const linkOf = (service: string) => [
  `${service}_SERVICE_HOST`,
  `${service}_SERVICE_PORT`,
  `${service}_SERVICE_PORT_HTTP`,
  `${service}_PORT`,
  `${service}_PORT_8700_TCP`,
  `${service}_PORT_8700_TCP_ADDR`,
  `${service}_PORT_8700_TCP_PORT`,
  `${service}_PORT_8700_TCP_PROTO`
]

describe("variables that look like settings", () => {
  it.each([
    ["RUNHOOK_BASE_UR", "did you mean RUNHOOK_BASE_URL? "],
    ["RUNHOOK_BASEURL", "did you mean RUNHOOK_BASE_URL? "],
    ["RUNHOOK_PROT", "did you mean RUNHOOK_PORT? "],
    ["RUNHOOK_RETENTIONDAY", "did you mean RUNHOOK_RETENTION_DAYS? "],
    ["RUNHOOK_PORT_FILE", ""],
    ["RUNHOOK_API_PORT", "did you mean RUNHOOK_PORT? "],
    ["RUNHOOK_COLOUR", ""]
  ])("are named, with the setting that may be meant: %s", (name, meant) => {
    assert.deepStrictEqual(unknownIn([name, "PATH", ...known], known), [
      `${name} is not a setting, and is ignored: ${meant}\`runhook settings\` lists all`
    ])
  })

  it("are left alone where Kubernetes sets them for a Service of such a name", () => {
    assert.deepStrictEqual(unknownIn([...linkOf("RUNHOOK"), ...linkOf("RUNHOOK_API")], known), [])
  })
})
