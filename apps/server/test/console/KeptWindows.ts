/** Ordinary windows go on from test to test: a page is there in half the time where another was before it. */
import type { Page } from "playwright-core"
import type { Watched } from "./Window.ts"

/** A window of an admin with one page, about which a test wants nothing special. */
export interface Ordinary {
  readonly window: Watched
  readonly page: Page
  readonly accountId: string
}

export const viewport = { width: 1280, height: 900 }

export class KeptWindows {
  readonly #idle = new Set<Ordinary>()

  /** One of the account, which from its next page on is as a new one. */
  async take(accountId: string): Promise<Ordinary | undefined> {
    const kept = [...this.#idle].find((each) => each.accountId === accountId)
    if (kept === undefined) return undefined
    this.#idle.delete(kept)
    const { page, window } = kept
    await page.unrouteAll({ behavior: "ignoreErrors" })
    await page.setViewportSize(viewport)
    await page.emulateMedia({ colorScheme: null })
    await page.evaluate("localStorage.clear(); sessionStorage.clear()")
    page.once("framenavigated", window.forget)
    return kept
  }

  /** Keeps it for another test; no is the answer to one with other pages than its own, or with none of the service. */
  keep(ordinary: Ordinary): boolean {
    const [only, ...others] = ordinary.window.context.pages()
    if (only !== ordinary.page || others.length > 0 || only.url() === "about:blank") return false
    this.#idle.add(ordinary)
    return true
  }

  async close(): Promise<void> {
    await Promise.all([...this.#idle].map(({ window }) => window.context.close()))
  }
}
