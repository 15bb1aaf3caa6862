/** What an editor shows where a program names something: the compiler's own language server is asked. */
import { spawn } from "node:child_process"
import { readFile } from "node:fs/promises"
import { pathToFileURL } from "node:url"
import { compiler } from "./Built.ts"

interface Answer {
  readonly id?: number
  readonly method?: string
  readonly result?: { readonly contents?: { readonly value?: string } } | null
}

/** The text shown for each of these offsets in the file. */
export const hoversIn = async (
  path: string,
  offsets: ReadonlyArray<number>
): Promise<ReadonlyArray<string>> => {
  const uri = pathToFileURL(path).href
  const text = await readFile(path, "utf8")
  const server = spawn(process.execPath, [compiler, "--lsp", "-stdio"], {
    // It would ask npm for the types of packages, by the network.
    env: { PATH: "" },
    stdio: ["pipe", "pipe", "ignore"]
  })
  const waiting = new Map<number, (answer: Answer) => void>()
  let ids = 0

  const write = (message: object) => {
    const body = JSON.stringify({ jsonrpc: "2.0", ...message })
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
  const ask = (method: string, params: object): Promise<Answer> =>
    new Promise((resolve) => {
      const id = ++ids
      waiting.set(id, resolve)
      write({ id, method, params })
    })
  const take = (message: Answer) => {
    if (message.id === undefined) return
    // What the server asks of an editor is left unsaid.
    if (message.method !== undefined) write({ id: message.id, result: null })
    else waiting.get(message.id)?.(message)
  }

  let received: Buffer = Buffer.alloc(0)
  server.stdout.on("data", (chunk: Buffer) => {
    received = Buffer.concat([received, chunk])
    for (;;) {
      const head = received.indexOf("\r\n\r\n")
      const length = Number(
        /Content-Length: (\d+)/.exec(received.subarray(0, Math.max(0, head)).toString())?.[1]
      )
      if (head < 0 || received.length < head + 4 + length) return
      take(JSON.parse(received.subarray(head + 4, head + 4 + length).toString()))
      received = received.subarray(head + 4 + length)
    }
  })

  try {
    const hover = { contentFormat: ["markdown"] }
    await ask("initialize", { processId: null, rootUri: null, capabilities: { textDocument: { hover } } })
    write({ method: "initialized", params: {} })
    const textDocument = { uri, languageId: "typescript", version: 1, text }
    write({ method: "textDocument/didOpen", params: { textDocument } })
    return await Promise.all(
      offsets.map(async (offset) => {
        const before = text.slice(0, offset).split("\n")
        const position = { line: before.length - 1, character: before.at(-1)?.length ?? 0 }
        const { result } = await ask("textDocument/hover", { textDocument: { uri }, position })
        return result?.contents?.value ?? ""
      })
    )
  } finally {
    server.kill()
  }
}
