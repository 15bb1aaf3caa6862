import { assert, describe, it } from "@effect/vitest"
import { AuditAction } from "@runhook/core/domain/AuditEntry"
import { ExecutionStatus, targetsOf } from "@runhook/core/domain/ExecutionStatus"
import { eventOnEntering } from "@runhook/core/domain/WebhookEventType"
import { readdirSync, readFileSync } from "node:fs"

const lifecycle = readFileSync("docs/lifecycle.md", "utf8")

const audit = readFileSync("docs/operating/audit.md", "utf8")

const codeList = (names: ReadonlyArray<string>) => names.map((name) => `\`${name}\``).join(", ")

describe("docs", () => {
  it.each(ExecutionStatus.literals)("shows where %s may go", (from) => {
    const targets = targetsOf(from)

    assert.include(lifecycle, `| \`${from}\` | ${targets.length === 0 ? "none" : codeList(targets)} |`)
  })

  it.each(ExecutionStatus.literals)("shows what entering %s emits", (status) => {
    const event = eventOnEntering(status)

    assert.strictEqual(lifecycle.includes(`| \`${status}\` | \`${event ?? "execution."}`), event !== null)
  })

  it.each(AuditAction.literals)("says when the audit log tells of %s", (action) => {
    assert.match(audit, new RegExp(`^\\| [^|]*\`${action}\`[^|]* \\| \\w`, "m"))
  })

  it("names files that exist", () => {
    const pages = readdirSync("docs", { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".md")
    )
    const links = pages.flatMap((page) =>
      [...readFileSync(`docs/${page}`, "utf8").matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(
        ([, target]) => new URL(target ?? "", `file://${process.cwd()}/docs/${page}`)
      )
    )

    assert.isNotEmpty(links)
    for (const link of links) assert.doesNotThrow(() => readFileSync(link), undefined, link.href)
  })
})
