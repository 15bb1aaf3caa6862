/** Signing in, by endpoint of the contract. */
import { RunhookAdmin } from "../../../src/admin/Admin.ts"
import type { Office } from "../Office.ts"
import type { Ways } from "../Ways.ts"

/** A browser with the cookie of a person who has signed in by a link. */
const signedIn = async ({ account, note, service }: Office) => {
  let cookie = ""
  const browser = new RunhookAdmin({
    baseUrl: service.url,
    session: true,
    retries: 0,
    onRequest: (request) => {
      note(request)
      request.headers.set("cookie", cookie)
      request.headers.set("origin", service.url)
    },
    onResponse: ({ headers }) => {
      cookie = headers.get("set-cookie")?.split(";", 1)[0] ?? cookie
    }
  })
  const { url } = await account.consoleLinks.create({ role: "viewer", name: "Ada" })
  await browser.session.begin({ token: new URL(url).hash.slice(1) })
  return browser.session
}

export const sessionWays: Ways = {
  "POST /accounts/:account_id/console-links": ({ account }) => account.consoleLinks.create(),
  "GET /accounts/:account_id/console-links": ({ account }) => account.consoleLinks.list().page(),
  "DELETE /accounts/:account_id/console-links/:link_id": async ({ account }) => {
    const { id } = await account.consoleLinks.create()
    await account.consoleLinks.withdraw(id)
  },
  "GET /accounts/:account_id/console-sessions": ({ account }) => account.consoleSessions.list().page(),
  "DELETE /accounts/:account_id/console-sessions/:session_id": async (office) => {
    const { id } = await (await signedIn(office)).get()
    await office.account.consoleSessions.end(id)
  },
  "DELETE /accounts/:account_id/console-sessions": async (office) => {
    const { person } = await (await signedIn(office)).get()
    await office.account.consoleSessions.endPerson(person)
  },
  "GET /sign-in": ({ admin }) => admin.session.ways(),
  "POST /session": signedIn,
  "GET /session": async (office) => (await signedIn(office)).get(),
  "DELETE /session": async (office) => (await signedIn(office)).end({ everywhere: true })
}
