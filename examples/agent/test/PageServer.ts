/** A small site on this machine for the browser to visit. */
import { createServer } from "node:http"
import { listen } from "@runhook/test-support/receivers/Listening"

const page = `<!doctype html>
<title>Quarterly report</title>
<style>
  body { display: flow-root; margin: 0; height: 2000px; background: linear-gradient(#fff, #06c) }
  #dot { position: absolute; top: 300px; width: 80px; height: 80px; background: #e33; animation: move 1s infinite alternate }
  @keyframes move { from { left: 0 } to { left: 800px } }
</style>
<h1>Quarterly report</h1>
<h2>Numbers</h2>
<p><a href="/plain">Elsewhere</a> <a href="/report.csv" download="report.csv">The numbers</a></p>
<img alt="" src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=">
<div id="dot"></div>`

/** What the page's download link gives. */
export const report = Buffer.from(`month,amount\n${"january,100\n".repeat(1_000)}`)

export interface PageServer extends AsyncDisposable {
  readonly origin: string
  /** The paths asked for, in order. */
  readonly asked: ReadonlyArray<string>
}

/** Serves `/` with a download, `/plain` without one, `/never` that never answers, and `/away?to=` that redirects. */
export const startPageServer = async (): Promise<PageServer> => {
  const asked: Array<string> = []
  const server = createServer(({ url = "/" }, response) => {
    const { pathname, searchParams } = new URL(url, "http://127.0.0.1")
    asked.push(pathname)
    if (pathname === "/never") return
    if (pathname === "/away") response.writeHead(302, { location: searchParams.get("to") ?? "/" }).end()
    else if (pathname === "/report.csv") response.writeHead(200, { "content-type": "text/csv" }).end(report)
    else if (pathname === "/plain")
      response.writeHead(200, { "content-type": "text/html" }).end("<h1>Plain</h1>")
    else if (pathname === "/") response.writeHead(200, { "content-type": "text/html" }).end(page)
    else response.writeHead(404).end()
  })
  return { ...(await listen(server)), asked }
}
