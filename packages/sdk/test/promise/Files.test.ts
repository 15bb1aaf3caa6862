import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Answer } from "@runhook/test-support/receivers/Receiver"
import { assert, describe, it } from "vitest"
import { NotFoundError } from "../../src/Runhook.ts"
import { apiKey, failureOf, meeting } from "../call/Meeting.ts"
import { refusal, startServer } from "../call/RawServer.ts"

const bytes =
  (text: string): Answer =>
  (response) =>
    void response.writeHead(200, { "content-type": "text/plain" }).end(text)

const redirect =
  (location: string): Answer =>
  (response) =>
    void response.writeHead(302, { location }).end()

/** A file's link as a service shows it that knows itself by another address than its callers do. */
const file = { url: "http://inside.example/api/v1/integrations/executions/e-1/files/f-1" }

const temporaryFolder = async () => {
  const path = await mkdtemp(join(tmpdir(), "runhook-sdk-files-"))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

describe("a download", () => {
  it("follows to the storage, which never sees the key", async () => {
    await using storage = await startServer(bytes("a report"))
    const { client, server } = await meeting([redirect(`${storage.url}/bucket?grant=1`)])
    await using _ = server

    const answer = await client.files.download(file)

    assert.deepStrictEqual(
      [await answer.text(), answer.headers.get("content-type")],
      ["a report", "text/plain"]
    )
    const [asked] = server.received
    assert.deepStrictEqual(
      [asked?.path, asked?.headers.authorization],
      ["/api/v1/integrations/executions/e-1/files/f-1", `Bearer ${apiKey}`]
    )
    assert.deepStrictEqual(
      storage.received.map(({ headers, path }) => [path, headers.authorization]),
      [["/bucket?grant=1", undefined]]
    )
  })

  it("sends no key to a storage on the service's own host either", async () => {
    const { client, server } = await meeting([redirect("/storage?grant=1"), bytes("a report")])
    await using _ = server

    await (await client.files.download(file)).text()

    assert.deepStrictEqual(
      server.received.map(({ headers, path }) => [path, headers.authorization]).slice(1),
      [["/storage?grant=1", undefined]]
    )
  })

  it("asks for a new place when the storage fails", async () => {
    await using storage = await startServer(refusal(503, "internal_error"), bytes("a report"))
    const { client, server } = await meeting([redirect(storage.url)])
    await using _ = server

    const answer = await client.files.download(file)

    assert.deepStrictEqual([await answer.text(), server.received.length], ["a report", 2])
  })

  it("is refused for what is no file of the service, before anything is sent", async () => {
    const { client, server } = await meeting([bytes("")])
    await using _ = server

    for (const url of ["https://example.com/", `${file.url}/more`, file.url.replace("e-1", "..%2f")]) {
      const failure = await failureOf(Promise.resolve().then(() => client.files.download({ url })))
      if (failure !== undefined) assert.instanceOf(failure, TypeError)
    }
    for (const { path } of server.received) assert.match(path ?? "", /^\/api\/v1\/integrations\/executions\//)
  })

  it("of a link made from ids is the same", async () => {
    const { client, server } = await meeting([bytes("a report")])
    await using _ = server

    const url = client.files.url({ execution_id: "e-1", id: "f-1" })
    await (await client.files.download({ url })).text()

    assert.strictEqual(url, server.url + server.received[0]?.path)
  })
})

describe("a saved file", () => {
  it("lies under its path, whole", async () => {
    const { client, server } = await meeting([bytes("a report")])
    await using _ = server
    await using folder = await temporaryFolder()
    const path = join(folder.path, "report.txt")
    await writeFile(path, "an older one")

    await client.files.save(file, path)

    assert.deepStrictEqual(
      [await readFile(path, "utf8"), await readdir(folder.path)],
      ["a report", ["report.txt"]]
    )
  })

  it("leaves nothing behind when its bytes break off", async () => {
    const { client, server } = await meeting([
      (response) =>
        void response.writeHead(200, { "content-length": "9" }).write("a rep", () => response.destroy())
    ])
    await using _ = server
    await using folder = await temporaryFolder()

    const failure = await failureOf(client.files.save(file, join(folder.path, "report.txt"), { retries: 0 }))

    assert.instanceOf(failure, Error)
    assert.deepStrictEqual(await readdir(folder.path), [])
  })

  it("can be any stream", async () => {
    const { client, server } = await meeting([bytes("a report")])
    await using _ = server
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()

    const [text] = await Promise.all([new Response(readable).text(), client.files.save(file, writable)])

    assert.strictEqual(text, "a report")
  })

  it("that is not there is an error and no file", async () => {
    const { client, server } = await meeting([refusal(404, "not_found")])
    await using _ = server
    await using folder = await temporaryFolder()

    const failure = await failureOf(client.files.save(file, join(folder.path, "report.txt")))

    assert.instanceOf(failure, NotFoundError)
    assert.deepStrictEqual(await readdir(folder.path), [])
  })

  it.each(["", ".", "..", "/", "/..", "/a/.", "/../.."])(
    "is none at the path of a folder: %j",
    async (given) => {
      await using folder = await temporaryFolder()
      const { client, server } = await meeting([bytes("a report")])
      await using _ = server
      const path = given.startsWith("/") ? folder.path + given : given

      const failure = await failureOf(client.files.save(file, path))

      assert.include(String(failure), "TypeError: target must be the path of a file")
      assert.deepStrictEqual(await readdir(folder.path), [])
    }
  )
})
