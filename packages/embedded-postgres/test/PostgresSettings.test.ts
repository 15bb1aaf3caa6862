import { assert, describe, it } from "@effect/vitest"
import { asArguments, fixed } from "../src/PostgresSettings.ts"

describe("the settings of each start", () => {
  it("name the folder of the socket so that no character in it separates two", () => {
    assert.strictEqual(fixed('/a, b/"c"').unix_socket_directories, '"/a, b/""c"""')
  })

  it("become arguments one by one", () => {
    assert.deepStrictEqual(asArguments({ fsync: "on", port: "1" }), ["-c", "fsync=on", "-c", "port=1"])
  })
})
