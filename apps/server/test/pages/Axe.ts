/** What axe finds wrong with the page that a browser shows. */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import type { Page } from "playwright-core"

const axe = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8")

interface Found {
  readonly violations: ReadonlyArray<{
    readonly id: string
    readonly nodes: ReadonlyArray<{ readonly html: string }>
  }>
}

/** A line for each element that breaks a rule; the policy of the page keeps the script of axe out of its own. */
export const findings = async (
  page: Page,
  rules: "all" | "of colours" = "all"
): Promise<ReadonlyArray<string>> => {
  // It stays until the page loads anew.
  if (await page.evaluate<boolean>("typeof axe === 'undefined'")) await page.evaluate(`${axe}; undefined`)
  // What is in order need not be described. No rule that is on reads style sheets, which it would fetch again.
  const only =
    rules === "all" ? "" : `, runOnly: { type: "rule", values: ["color-contrast", "link-in-text-block"] }`
  const { violations } = await page.evaluate<Found>(
    `axe.run(document, { resultTypes: ["violations"], preload: { assets: ["media"] }${only} })`
  )
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}
