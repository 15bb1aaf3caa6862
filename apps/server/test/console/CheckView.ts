/** Whether a view is accessible: in both colour schemes, on a phone and on a desktop. */
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { assert } from "vitest"
import { findings } from "../pages/Axe.ts"

type Look = readonly [width: 360 | 1280, colorScheme: "dark" | "light"]

/** Both widths and both schemes; all four together are looked at of every view of the story. */
const looks: Readonly<Record<"all" | "two", ReadonlyArray<Look>>> = {
  two: [
    [360, "dark"],
    [1280, "light"]
  ],
  all: [
    [360, "light"],
    [360, "dark"],
    [1280, "light"],
    [1280, "dark"]
  ]
}

/** Where screenshots go: nowhere by default. */
const shots = process.env["RUNHOOK_SHOTS"]

/**
 * Runs axe on what the page shows now, and looks for what is wider than the
 * window, and for lists that are wider than their place. `RUNHOOK_SHOTS=<folder>` keeps a picture of each, named after `name`.
 */
export const checkView = async (
  page: Page,
  name: string,
  which: keyof typeof looks = "two"
): Promise<void> => {
  const before = page.viewportSize()
  for (const [width, colorScheme] of looks[which]) {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    const what = `${name} at ${width} pixels, ${colorScheme}`
    await keepShot(page, `${name}-${width}-${colorScheme}`)
    assert.deepStrictEqual(await findings(page), [], what)
    assert.deepStrictEqual(await page.evaluate(wider), [], what)
  }
  if (before !== null) await page.setViewportSize(before)
}

/** Takes a screenshot if a folder is set. */
export const keepShot = async (page: Page, name: string): Promise<void> => {
  if (shots === undefined) return
  await mkdir(shots, { recursive: true })
  await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true })
}

/** Elements wider than the window, innermost first; and lists of which the last columns are out of sight. */
const wider = `(document.documentElement.scrollWidth <= innerWidth ? [] :
  [...document.querySelectorAll("body *")]
    .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
    .filter((each) => each.closest(".scroll, pre") === null)
    .map((each) => each.outerHTML.slice(0, 120))
    .concat("the page is " + document.documentElement.scrollWidth + " pixels wide"))
  .concat([...document.querySelectorAll(".scroll:has(> .list)")]
    .filter((each) => each.scrollWidth > each.clientWidth + 1)
    .map((each) => each.getAttribute("aria-label") + " is " + each.scrollWidth + " pixels wide"))`
