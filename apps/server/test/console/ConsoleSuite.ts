/** The Integrations page as a person has it: a real service, and a real Chromium. */
import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { RunhookAdmin } from "@runhook/sdk/admin"
import type { Environment } from "@runhook/test-support/world/ServiceProcess"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll } from "vitest"
import { developmentServer, type Running } from "../RunhookProcess.ts"
import { testBrowser } from "../TestBrowser.ts"
import { KeptWindows, type Ordinary, viewport } from "./KeptWindows.ts"
import { adminKey, sharedService } from "./SharedService.ts"
import { turnTo, watch, type Watched } from "./Window.ts"

/** Milliseconds: a browser shares its machine with other tests. */
export const patience = 120_000

export interface OpenOptions extends BrowserContextOptions {
  /** Default: admin; null: no one is signed in. */
  readonly role?: "admin" | "viewer" | null
  /** Whose page; that of the suite's account unless given. */
  readonly accountId?: string
  /** Where the service is for this window; its own address unless given. */
  readonly at?: string
  /** The page's own router may lead there, from what a test before this one looked at. */
  readonly isOnlyLookedAt?: true
  /** Problems that the test itself causes, as a refused request is one to the browser. */
  readonly expects?: RegExp
}

export interface ConsoleSuite {
  readonly baseUrl: () => string
  readonly running: () => Running
  /** Calls of the operator, to arrange what the page shows. */
  readonly admin: () => RunhookAdmin
  /** The account that the page shows. */
  readonly accountId: () => Promise<string>
  /** The page at a path below `/integrations`, signed in, in a window that no other test has meanwhile. */
  readonly openConsole: (path?: string, options?: OpenOptions) => Promise<Page>
  /** A picture of some HTML, as PNG. */
  readonly takePicture: (html: string) => Promise<Uint8Array>
}

let isBuilt = false

/** Builds the page if its sources are newer, so that tests never use an older one; once per process. */
const buildPage = () => {
  if (isBuilt) return
  const build = fileURLToPath(new URL("../../../../packages/console/build.mjs", import.meta.url))
  execFileSync(process.execPath, [build], { stdio: "inherit" })
  isBuilt = true
}

/**
 * Call it once within `describe`. What a page asks of others than the service,
 * and what it says in its console, fails the test that opened it.
 *
 * With settings it has a service of its own, and the account that development mode
 * begins with; without, a new account at the service that such suites share.
 */
export const consoleSuite = (
  environment?: Environment | Effect.Effect<Environment, never, Scope.Scope>
): ConsoleSuite => {
  const scope = Scope.makeUnsafe()
  let server: Running
  let browser: Browser
  let ownAccount: Promise<string> | undefined
  const windows: Array<Watched> = []
  const ordinary: Array<Ordinary> = []
  const kept = new KeptWindows()

  beforeAll(async () => {
    buildPage()
    server = await (environment === undefined ? sharedService() : ownService(environment))
    browser = await testBrowser()
  })

  const ownService = (given: NonNullable<typeof environment>) => {
    const started = Effect.flatMap(Effect.isEffect(given) ? given : Effect.succeed(given), (settings) =>
      developmentServer({ RUNHOOK_ADMIN_KEY: adminKey, ...settings })
    )
    return Effect.runPromise(Scope.provide(started, scope))
  }

  afterAll(async () => {
    await kept.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  afterEach(async ({ task }) => {
    const opened = windows.splice(0)
    const isFailed = task.result?.state === "fail"
    const told = isFailed ? await Promise.all(opened.map(({ tell }) => tell())) : []
    const problems = opened.flatMap((window) => window.problems)
    const goOn = ordinary.splice(0).filter((each) => !isFailed && kept.keep(each))
    const over = opened.filter((window) => !goOn.some((each) => each.window === window))
    await Promise.all(over.map(({ context }) => context.close()))
    if (told.length > 0) throw new Error(`What the browser had when this test failed:\n${told.join("\n")}`)
    assert.deepStrictEqual(problems, [])
  })

  const admin = () => new RunhookAdmin({ baseUrl: server.baseUrl, adminKey })

  const accountId = () => (ownAccount ??= environment === undefined ? newAccount() : firstAccount())

  const newAccount = async () => (await admin().accounts.create({ name: "Demo" })).id

  const firstAccount = async () => {
    const { data } = await admin().accounts.list().page()
    const first = data.at(-1)
    if (first === undefined) throw new Error("Development mode has made no account")
    return first.id
  }

  const openConsole = async (
    path = "/",
    { accountId: given, isOnlyLookedAt, ...options }: OpenOptions = {}
  ) => {
    const ofAccount = given ?? (await accountId())
    const address = `${options.at ?? server.baseUrl}/integrations${path === "/" ? "" : path}`
    const isOrdinary = Object.keys(options).length === 0
    const before = isOrdinary ? await kept.take(ofAccount) : undefined
    const opened = before ?? (await openWindow(ofAccount, options))
    windows.push(opened.window)
    if (isOrdinary) ordinary.push(opened)
    const { page } = opened
    if (before !== undefined && isOnlyLookedAt) await turnTo(page, address)
    else await page.goto(address)
    await page.locator("h1").first().waitFor()
    return page
  }

  const openWindow = async (
    ofAccount: string,
    { at = server.baseUrl, expects, role = "admin", ...options }: OpenOptions
  ): Promise<Ordinary> => {
    const context = await browser.newContext({
      viewport,
      // Without one it has the language of a machine that has none, which no person has.
      locale: "en-GB",
      // A kept window would draw what moves for as long as it is kept.
      reducedMotion: "reduce",
      ...options
    })
    context.setDefaultTimeout(patience / 2)
    const window = watch(context, { at, expects })
    const page = await context.newPage()
    if (role !== null) await signIn(context, role, ofAccount)
    return { window, page, accountId: ofAccount }
  }

  /** By a link, as a person does; the page's own button has a test of its own. */
  const signIn = async (context: BrowserContext, role: "admin" | "viewer", ofAccount: string) => {
    const { url } = await admin().account(ofAccount).consoleLinks.create({ role, name: "Jana" })
    const [, token] = url.split("#")
    const answer = await context.request.post(`${server.baseUrl}/api/v1/admin/session`, {
      headers: { origin: server.baseUrl, "x-runhook-console": "1" },
      data: { token }
    })
    assert.strictEqual(answer.status(), 200, await answer.text())
  }

  const takePicture = async (html: string) => {
    const page = await browser.newPage({ viewport: { width: 640, height: 400 } })
    await page.setContent(html)
    const picture = await page.screenshot()
    await page.close()
    return picture
  }

  return { takePicture, baseUrl: () => server.baseUrl, running: () => server, admin, accountId, openConsole }
}
