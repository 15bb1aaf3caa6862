import { assert, it } from "vitest"
import { leaseMs, usable } from "../../src/runner/Intervals.ts"

const sane = {
  poll_wait_ms: 25_000,
  lease_ms: 60_000,
  heartbeat_ms: 15_000,
  start_deadline_ms: 60_000,
  cancel_grace_ms: 30_000,
  finalize_ms: 300_000,
  max_artifact_bytes: 536_870_912
}

it("takes the service's intervals as they are", () => {
  assert.deepStrictEqual(usable(sane), sane)
  assert.strictEqual(leaseMs(60_000), 60_000)
})

/** Each timer of a machine takes from one millisecond to 24 days. */
it.each([Number.NaN, Infinity, -Infinity, 1e300, -1, 0, "12", null, undefined])(
  "makes of %s an interval that a timer can keep",
  (said) => {
    // A service of another version, or a proxy, may say anything.
    const config = usable(
      JSON.parse(JSON.stringify(sane, (_, value) => (typeof value === "number" ? said : value)))
    )
    const whole = usable(Object.assign({ ...sane }, { heartbeat_ms: said, poll_wait_ms: said }))

    for (const { cancel_grace_ms, finalize_ms, heartbeat_ms, poll_wait_ms } of [config, whole]) {
      assert.isAtLeast(heartbeat_ms, 10)
      for (const each of [heartbeat_ms, poll_wait_ms, cancel_grace_ms, finalize_ms]) {
        assert.isAtLeast(each, 0)
        assert.isAtMost(each, 3_600_000)
      }
    }
  }
)
