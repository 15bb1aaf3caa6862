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
export const findings = async (page: Page): Promise<ReadonlyArray<string>> => {
  const { violations } = await page.evaluate<Found>(`${axe}; axe.run(document)`)
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
}
