import { assert, describe, it } from "@effect/vitest"
import { userIn } from "../src/SystemUser.ts"

const passwd = [
  "root:x:0:0:root:/root:/bin/bash",
  "nobody-else:x:7:8::/:/bin/false",
  "nobody:x:65534:65533:nobody:/nonexistent:/usr/sbin/nologin",
  ""
].join("\n")

describe("userIn", () => {
  it("finds the numbers of a name", () => {
    assert.deepStrictEqual(userIn(passwd, "nobody"), { uid: 65534, gid: 65533 })
  })

  it("finds nobody by a name the machine does not know", () => {
    assert.isUndefined(userIn(passwd, "postgres"))
  })
})
